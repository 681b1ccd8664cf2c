import { generateKeyPairSync } from 'node:crypto'
import { givenCollections } from './collections.ts'
import { givenCommunity } from './community.ts'
import { whenRowsAreThere } from './datasets.ts'
import { fresh, givenRepo, type Caller, type Person } from './fixtures.ts'
import { givenWebhooks } from './webhooks.ts'

/** A new public key as `ollama` writes it to `~/.ollama/id_ed25519.pub`. */
function ollamaKey(): string {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const wire = Buffer.concat([part(Buffer.from('ssh-ed25519')), part(Buffer.from(x, 'base64url'))])
  return `ssh-ed25519 ${wire.toString('base64')}`
}

const card = `---
license: apache-2.0
library_name: transformers
pipeline_tag: text-generation
tags: [demo]
---
# A model

<div align="center"><b>Centred</b> text with <a href="config.json">a link</a></div>

## Use

\`\`\`python
from transformers import AutoModel  # a comment
model = AutoModel.from_pretrained("x", revision=None)
\`\`\`

Euler: $e^{i\\pi} + 1 = 0$

| metric | value |
|---|---:|
| accuracy | 0.93 |

- [x] done
- [ ] to do
`

const gatedCard = `---
extra_gated_heading: Please ask
extra_gated_prompt: Say **why** you want it.
extra_gated_fields:
  Company: text
  Date: date_picker
  Use:
    type: select
    options: [Research, Education]
  I agree: checkbox
---
# Gated
`

interface Seen {
  person: Person
  addresses: Record<string, string>
}

let seen: Seen | undefined

/** What the pages show, made once, as their addresses by name. */
export async function givenPages(person: Person, guest: Person, admin: Caller): Promise<Seen> {
  if (seen) return seen
  const files = {
    'README.md': card,
    'config.json': '{"a": [1, true, null]}',
    'src/model.py': 'def f(x):\n    return x\n',
    // A pickle that calls the shell.
    'unsafe.pkl': "cposix\nsystem\n(S'id'\ntR.",
  }
  const repo = await givenRepo(person, { files })
  const dataset = await givenRepo(person, {
    type: 'dataset',
    files: { 'README.md': '# Sentences\n', 'data.csv': 'id,text\n1,one\n2,two\n' },
  })
  await givenRepo(person, { type: 'dataset', visibility: 'private' })
  const gated = await givenRepo(person, { gated: 'manual', files: { 'README.md': gatedCard } })
  const disabled = await givenRepo(person, { files: { 'README.md': '# Model\n' } })
  const { id } = await person.native<{ id: string }>('GET', disabled.api)
  await admin.native('PATCH', `/admin/repos/${id}`, { disabled: true, reason: 'Its data may not be shared.' })
  const deleted = await givenRepo(person)
  await person.native('DELETE', deleted.api)
  const me = await person.native<{ id: string }>('GET', '/me')
  const ns = fresh('acme')
  await person.native('POST', '/orgs', { ns, display_name: 'Acme Research', bio: 'Makes small models.' })
  await person.native('POST', '/me/tokens', { name: 'laptop', scopes: ['read'] })
  await person.native('POST', '/me/ollama-keys', { name: 'workstation', public_key: ollamaKey() })
  await person.native('POST', `${repo.api}/branches`, { name: 'draft' })
  const operations = [
    { op: 'add', path: 'src/model.py', text: 'def f(x):\n    return x + 1\n' },
    { op: 'add', path: 'weights.bin', content: Buffer.alloc(600, 1).toString('base64') },
    { op: 'add', path: 'dot.gif', content: 'R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=' },
  ]
  const { commit } = await person.native<{ commit: string }>('POST', `${repo.api}/commits`, {
    branch: 'main',
    title: 'Add one',
    operations,
  })
  const job = await person.native<{ id: string }>('POST', `${repo.api}/zip?rev=main`)
  await whenRowsAreThere(person, dataset, 2)
  const addresses = {
    home: '/',
    feed: '/?show=feed',
    models: '/models',
    datasets: '/datasets',
    'models-bookmark': `/models?author=${person.username}&other=demo&license=license:apache-2.0`,
    'models-none': '/models?q=nothing-is-called-this',
    search: '/search?q=accuracy+centred',
    'search-names': `/search?q=${person.username}&in=names`,
    'search-none': '/search?q=nothing-says-this',
    card: repo.page,
    gated: gated.page,
    disabled: disabled.page,
    dataset: dataset.page,
    'dataset-viewer': `${dataset.page}/viewer/default/train`,
    tree: `${repo.page}/tree/main`,
    'blob-markdown': `${repo.page}/blob/main/README.md`,
    'blob-code': `${repo.page}/blob/main/src/model.py`,
    'blame-code': `${repo.page}/blame/main/src/model.py`,
    'blame-binary': `${repo.page}/blame/main/weights.bin`,
    'blob-json': `${repo.page}/blob/main/config.json`,
    'blob-image': `${repo.page}/blob/main/dot.gif`,
    'blob-binary': `${repo.page}/blob/main/weights.bin`,
    'blob-unsafe': `${repo.page}/blob/main/unsafe.pkl`,
    'edit-file': `${repo.page}/edit/main/src/model.py`,
    metadata: `${repo.page}/metadata/main`,
    upload: `${repo.page}/upload/main`,
    'new-file': `${repo.page}/new/main`,
    commits: `${repo.page}/commits/main`,
    commit: `${repo.page}/commit/${commit}`,
    branches: `${repo.page}/branches`,
    compare: `${repo.page}/compare?base=draft&head=main`,
    'compare-same': `${repo.page}/compare`,
    insights: `${repo.page}/insights`,
    'repo-settings': `${repo.page}/settings`,
    new: '/new',
    discover: '/discover',
    jobs: '/jobs',
    job: `/jobs/${job.id}`,
    profile: `/${person.username}`,
    org: `/${ns}`,
    'org-settings': `/${ns}/settings`,
    'org-new': '/orgs/new',
    settings: '/settings',
    notifications: '/settings/notifications',
    password: '/settings/password',
    'sign-in-methods': '/settings/sign-in',
    sessions: '/settings/sessions',
    tokens: '/settings/tokens',
    'ollama-keys': '/settings/ollama-keys',
    'upstream-tokens': '/settings/upstream-tokens',
    'deleted-repos': '/settings/deleted',
    device: '/device',
    problem: '/problems/throttled',
    api: '/docs/api',
    compatibility: '/docs/compatibility',
    // Refused to all but admins.
    'admin-user': `/admin/users/${me.id}`,
    absent: `/${person.username}/absent`,
    'no-page': '/no/such/page/at/all',
    ...(await givenCommunity(person, guest)),
    ...(await givenCollections(person, guest)),
    ...(await givenWebhooks(person)),
    'org-webhooks': `/${ns}/settings/webhooks`,
  }
  return (seen = { person, addresses })
}
