import { givenRepo, type GivenRepo, type Person } from './fixtures.ts'

interface Made {
  num: number
}

/** Opens a pull request by a commit of these texts onto main; its number. */
export async function givenPull(
  author: Person,
  repo: GivenRepo,
  title: string,
  files: Record<string, string>,
  body = '',
): Promise<number> {
  const operations = Object.entries(files).map(([path, text]) => ({ op: 'add', path, text }))
  const answer = await author.native<{ pull_request: Made }>('POST', `${repo.api}/commits`, {
    branch: 'main',
    title,
    body,
    create_pull_request: true,
    operations,
  })
  return answer.pull_request.num
}

/** Commits these texts to a branch, or to a pull request as `refs/pr/N`. */
export function commitTexts(by: Person, repo: GivenRepo, branch: string, files: Record<string, string>) {
  const operations = Object.entries(files).map(([path, text]) => ({ op: 'add', path, text }))
  return by.native('POST', `${repo.api}/commits`, { branch, title: `Change ${branch}`, operations })
}

/** Opens a discussion; its number. */
export async function givenDiscussion(
  author: Person,
  repo: GivenRepo,
  title: string,
  body = '',
): Promise<number> {
  return (await author.native<Made>('POST', `${repo.api}/discussions`, { title, body })).num
}

/** A label of each colour; their ids. */
export async function givenLabels(owner: Person, repo: GivenRepo): Promise<string[]> {
  const ids: string[] = []
  for (const [color, name] of Object.entries({
    red: 'bug',
    blue: 'documentation',
    purple: 'quantisation',
    yellow: 'needs an answer',
    green: 'good first change',
    orange: 'urgent',
    pink: 'evaluation',
    gray: 'a label whose name is as long as that of a label can be',
  })) {
    const label = { name: name.slice(0, 50), color, description: `What is about: ${name}` }
    ids.push((await owner.native<{ id: string }>('POST', `${repo.api}/labels`, label)).id)
  }
  return ids
}

const question = `Loading it **fails** for me:

\`\`\`python
model = AutoModel.from_pretrained("x")
\`\`\`

- with \`torch\` 2.9
- [x] and without, see [the config](config.json)

> RuntimeError: sizes differ
`

/** A repo whose community shows everything that it can, as the addresses of its pages. */
export async function givenCommunity(owner: Person, guest: Person): Promise<Record<string, string>> {
  const repo = await givenRepo(owner, {
    files: { 'README.md': '# Model\n', 'config.json': '{"a": 1}\n', 'notes.txt': 'one\ntwo\nthree\n' },
  })
  const at = (num: number, tab = '') => `${repo.page}/discussions/${num}${tab}`
  const talk = await givenDiscussion(guest, repo, 'The weights do not load on two devices', question)
  const thread = `${repo.api}/discussions/${talk}`
  const comment = await owner.native<{ id: string }>('POST', `${thread}/comments`, { body: 'Spam.' })
  await owner.native('POST', `${thread}/comments/${comment.id}/hide`)
  await owner.native('PATCH', thread, { title: 'Loading fails on two devices' })
  await guest.native('POST', `${thread}/comments`, { body: 'Thanks, it works now.' })
  await owner.native('PATCH', thread, { status: 'closed' })
  await guest.native('PATCH', thread, { status: 'open' })
  const labels = await givenLabels(owner, repo)
  const merged = await givenPull(guest, repo, 'Say what it is for', {
    'README.md': '# A model\n\nFor tests.\n',
  })
  await owner.native('POST', `${repo.api}/discussions/${merged}/merge`, { comment: 'Well said.' })
  const conflict = await givenPull(guest, repo, 'Two becomes 2', { 'notes.txt': 'one\n2\nthree\n' })
  await commitTexts(owner, repo, 'main', { 'notes.txt': 'one\nTWO\nthree\n' })
  const pull = await givenPull(
    guest,
    repo,
    'Add an example and let the configuration say which version it is for',
    { 'config.json': '{"a": 1, "version": 2}\n', 'examples/run.py': 'print("hello")\n' },
    'It was missing an example.',
  )
  const { pull_request } = await owner.native<{ pull_request: { head_commit: string } }>(
    'GET',
    `${repo.api}/discussions/${pull}`,
  )
  const review = (path: string, body: string) =>
    owner.native<{ id: string }>('POST', `${repo.api}/discussions/${pull}/comments`, {
      body,
      place: { path, side: 'new', line: 1, commit: pull_request.head_commit },
    })
  await review('examples/run.py', `Which words, @${owner.username}? See #1.`)
  const asked = await review('config.json', 'Is this the version of the card?')
  await guest.native('PUT', `${repo.api}/discussions/${pull}/reviewers/${owner.username}`)
  await owner.native('POST', `${repo.api}/discussions/${pull}/reviews`, {
    verdict: 'request_changes',
    head: pull_request.head_commit,
    body: 'The example says too little.',
    comments: [
      { place: { path: 'examples/run.py', side: 'new', line: 1 }, body: 'What does it say hello to?' },
    ],
  })
  await guest.native('PUT', `${repo.api}/discussions/${conflict}/reviewers/${owner.username}`)
  await guest.native('PUT', `${repo.api}/discussions/${pull}/comments/${asked.id}/reactions/eyes`)
  await guest.native('POST', `${thread}/comments`, { body: `Thank you, @${owner.username}!` })
  await commitTexts(guest, repo, `refs/pr/${pull}`, { 'examples/run.py': 'print("hello, world")\n' })
  const empty = await guest.native<Made>('POST', `${repo.api}/discussions`, {
    kind: 'pull_request',
    title: 'To come',
  })
  const [bug, ...others] = labels
  await owner.native('PATCH', thread, { labels: [bug], assignees: [owner.username, guest.username] })
  await owner.native('PATCH', thread, { assignees: [guest.username] })
  await owner.native('PATCH', `${repo.api}/discussions/${pull}`, { labels, assignees: [owner.username] })
  await owner.native('PATCH', `${repo.api}/discussions/${pull}`, { labels: others })
  const refused = await givenPull(guest, repo, 'Everything in capitals', { 'README.md': '# MODEL\n' })
  await owner.native('PATCH', `${repo.api}/discussions/${refused}`, { status: 'closed' })
  const silent = await givenRepo(owner)
  const disabled = await givenRepo(owner)
  await owner.native('PATCH', disabled.api, { discussions_enabled: false })
  return {
    discussions: `${repo.page}/discussions?status=all`,
    'discussions-none': `${silent.page}/discussions`,
    'discussions-unmatched': `${repo.page}/discussions?author=nobody`,
    'discussions-disabled': `${disabled.page}/discussions`,
    'discussion-new': `${repo.page}/discussions/new`,
    'pull-new': `${repo.page}/discussions/new?kind=pull_request`,
    discussion: at(talk),
    pull: at(pull),
    'pull-commits': at(pull, '/commits'),
    'pull-files': at(pull, '/files'),
    'pull-merged': at(merged),
    'pull-conflict': at(conflict),
    'pull-empty': at(empty.num),
    'pull-closed': at(refused),
    'discussion-absent': at(999),
    'pull-tree': `${repo.page}/tree/refs%2Fpr%2F${pull}`,
  }
}
