import { AxeBuilder } from '@axe-core/playwright'
import { givenCollections } from './collections.ts'
import { givenCommunity } from './community.ts'
import { expect, fresh, givenRepo, signIn, test, type Caller, type Page, type Person } from './fixtures.ts'
import { givenWebhooks } from './webhooks.ts'

/** Every page, in both themes, wide and at 360 px: no axe violation, no sideways scroll, and a picture to look at. */
test.describe.configure({ mode: 'parallel' })

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

/** How pages are looked at. */
interface Look {
  colorScheme: 'light' | 'dark'
  settled: () => Promise<void>
  axe: () => AxeBuilder
}

interface Seen {
  person: Person
  addresses: Record<string, string>
}

let seen: Seen | undefined

/** What the pages show, made once. */
async function given(person: Person, guest: Person, admin: Caller): Promise<Seen> {
  if (seen) return seen
  const files = {
    'README.md': card,
    'config.json': '{"a": [1, true, null]}',
    'src/model.py': 'def f(x):\n    return x\n',
  }
  const repo = await givenRepo(person, { files })
  await givenRepo(person, { type: 'dataset', visibility: 'private' })
  const gated = await givenRepo(person, { gated: 'manual', files: { 'README.md': gatedCard } })
  const disabled = await givenRepo(person, { files: { 'README.md': '# Model\n' } })
  const { id } = await person.native<{ id: string }>('GET', disabled.api)
  await admin.native('PATCH', `/admin/repos/${id}`, { disabled: true, reason: 'Its data may not be shared.' })
  const ns = fresh('acme')
  await person.native('POST', '/orgs', { ns, display_name: 'Acme Research', bio: 'Makes small models.' })
  await person.native('POST', '/me/tokens', { name: 'laptop', scopes: ['read'] })
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
  const addresses = {
    home: '/',
    models: '/models',
    datasets: '/datasets',
    'models-none': '/models?q=nothing-is-called-this',
    card: repo.page,
    gated: gated.page,
    disabled: disabled.page,
    tree: `${repo.page}/tree/main`,
    'blob-markdown': `${repo.page}/blob/main/README.md`,
    'blob-code': `${repo.page}/blob/main/src/model.py`,
    'blob-json': `${repo.page}/blob/main/config.json`,
    'blob-image': `${repo.page}/blob/main/dot.gif`,
    'blob-binary': `${repo.page}/blob/main/weights.bin`,
    'edit-file': `${repo.page}/edit/main/src/model.py`,
    upload: `${repo.page}/upload/main`,
    'new-file': `${repo.page}/new/main`,
    commits: `${repo.page}/commits/main`,
    commit: `${repo.page}/commit/${commit}`,
    insights: `${repo.page}/insights`,
    'repo-settings': `${repo.page}/settings`,
    new: '/new',
    jobs: '/jobs',
    job: `/jobs/${job.id}`,
    profile: `/${person.username}`,
    org: `/${ns}`,
    'org-settings': `/${ns}/settings`,
    'org-new': '/orgs/new',
    settings: '/settings',
    password: '/settings/password',
    sessions: '/settings/sessions',
    tokens: '/settings/tokens',
    device: '/device',
    problem: '/problems/throttled',
    api: '/docs/api',
    compatibility: '/docs/compatibility',
    'admin-refused': '/admin',
    absent: `/${person.username}/absent`,
    'no-page': '/no/such/page/at/all',
    ...(await givenCommunity(person, guest)),
    ...(await givenCollections(person, guest)),
    ...(await givenWebhooks(person)),
    'org-webhooks': `/${ns}/settings/webhooks`,
  }
  return (seen = { person, addresses })
}

const wide = { width: 1360, height: 850 }
const narrow = { width: 360, height: 740 }

async function shoot(page: Page, name: string, shot: string) {
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(sideways, `${name} scrolls sideways`).toBeLessThanOrEqual(0)
  await page.screenshot({ path: `test-results/screens/${name}-${shot}.png`, fullPage: true })
}

const quietMs = 100

/**
 * Answers a wait for a page whose requests are all answered and cause no others. Playwright's own `networkidle` takes
 * half a second, a minute over all pages.
 */
function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<unknown>()
  let last = Date.now()
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') open.add(request)
  })
  const end = (request: unknown) => {
    open.delete(request)
    last = Date.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return () =>
    expect.poll(() => open.size === 0 && Date.now() - last > quietMs, { intervals: [25] }).toBe(true)
}

/** What axe finds on a page, one line each; the page is pictured wide and narrow. */
async function inspect(page: Page, name: string, address: string, look: Look): Promise<string[]> {
  await page.setViewportSize(wide)
  await page.goto(address)
  await expect(page.getByRole('main')).not.toBeEmpty()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await look.settled()
  await shoot(page, name, `${look.colorScheme}-wide`)
  const { violations } = await look.axe().analyze()
  await page.setViewportSize(narrow)
  await shoot(page, name, `${look.colorScheme}-narrow`)
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${name}: ${id}: ${node.html}`))
}

const strangers: Record<string, string> = { visitor: '/', login: '/login', 'models-visitor': '/models' }
/** Pages that show others what they may not do. */
const seenByVisitors = ['discussions', 'pull', 'gated']
/** Pages that show people what they may ask for. */
const seenByGuests = ['gated']
const admins: Record<string, string> = { admin: '/admin', quotas: '/admin/quotas' }
/** Pages on which admins find more. */
const seenByAdmins = ['disabled', 'repo-settings']

for (const colorScheme of ['light', 'dark'] as const)
  test(`every page in ${colorScheme}`, async ({ browser, server, owner, stranger, admin, complaints }) => {
    test.setTimeout(400_000)
    const { person, addresses } = await given(owner, stranger, admin)
    const context = await browser.newContext({ baseURL: server.url, colorScheme })
    context.on('console', (message) => {
      const isFault = message.type() === 'error' && !message.text().includes('status of 4')
      if (isFault) complaints.push(message.text())
    })
    const page = await context.newPage()
    // A theme changes nothing but colours. Without the legacy mode each analysis opens a page of its own, for frames of
    // other origins, of which there are none.
    const axe = () =>
      colorScheme === 'light'
        ? new AxeBuilder({ page }).setLegacyMode()
        : new AxeBuilder({ page }).setLegacyMode().withRules(['color-contrast', 'link-in-text-block'])
    const look = { colorScheme, settled: watchRequests(page), axe }
    const faults: string[] = []
    for (const [name, address] of Object.entries(strangers))
      faults.push(...(await inspect(page, name, address, look)))
    for (const name of seenByVisitors)
      faults.push(...(await inspect(page, `${name}-visitor`, addresses[name] ?? '', look)))
    await signIn(context, server.url, stranger)
    for (const name of seenByGuests)
      faults.push(...(await inspect(page, `${name}-guest`, addresses[name] ?? '', look)))
    await signIn(context, server.url, person)
    for (const [name, address] of Object.entries(addresses))
      faults.push(...(await inspect(page, name, address, look)))
    await signIn(context, server.url, admin)
    for (const [name, address] of Object.entries(admins))
      faults.push(...(await inspect(page, name, address, look)))
    for (const name of seenByAdmins)
      faults.push(...(await inspect(page, `${name}-admin`, addresses[name] ?? '', look)))
    await context.close()
    expect(faults).toEqual([])
  })
