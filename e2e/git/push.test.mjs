// Pushes by real git, and that every reader sees them at once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openServer } from './server.mjs'
import { addressOf, givenRepo, manyFiles, openBench } from './workbench.mjs'

let server
let bench

before(async () => {
  server = await openServer()
  bench = await openBench()
})
after(async () => {
  await bench?.close()
  await server?.close()
})

async function given(flags) {
  const repo = await givenRepo(server)
  return { repo, work: await bench.clone(repo.url, flags) }
}

const entriesOf = async (repo, path) => (await repo.get(`/tree/main${path}?limit=500`)).entries

test('a commit that is pushed is the head, with its files, its card, its history and its diff', async () => {
  const { repo, work } = await given()
  const readme = '---\nlicense: mit\ntags: [pushed]\n---\n# Hello\n'
  const one = await work.commit({ 'README.md': readme, 'dir/a.txt': 'a\n' }, 'first words\n\nand more')
  const two = await work.commit({ 'dir/b.txt': 'b\n' }, 'second')
  await work.git('push', '-q')
  const described = await repo.get('')
  assert.equal(described.head_commit, two)
  assert.equal(described.licence, 'mit')
  assert.ok(described.tags.includes('pushed'))
  assert.equal(described.file_count, (await work.git('ls-files')).split('\n').length)
  const { items } = await repo.get('/commits')
  assert.deepEqual(
    items.slice(0, 2).map(({ sha, title }) => [sha, title]),
    [
      [two, 'second'],
      [one, 'first words'],
    ],
  )
  assert.equal(items[0].author.name, 'Ada')
  const text = await fetch(`${repo.open}/resolve/main/dir/b.txt`)
  assert.equal(await text.text(), 'b\n')
  const dir = await entriesOf(repo, '/dir')
  assert.deepEqual(
    dir.map((entry) => entry.last_commit?.sha),
    [one, two],
  )
  assert.deepEqual(
    (await repo.get(`/commits/${two}`)).files.map(({ path }) => path),
    ['dir/b.txt'],
  )
})

test('1 000 files in one push', async () => {
  const { repo, work } = await given()
  await work.commit(manyFiles(1000))
  await work.git('push', '-q')
  assert.equal((await repo.get('')).file_count, (await work.git('ls-files')).split('\n').length)
})

test('branches and tags are made, moved and deleted, several at once', async () => {
  const { repo, work } = await given()
  await work.git('checkout', '-qb', 'feat/x')
  const head = await work.commit({ x: '1\n' })
  await work.git('tag', '-am', 'the first', 'v1')
  await work.git('tag', 'light')
  await work.git('push', '-q', 'origin', 'feat/x', 'v1', 'light')
  const names = async () => {
    const { branches, tags } = await repo.get('/refs')
    return [...branches, ...tags].map(({ name }) => name).sort()
  }
  assert.deepEqual(await names(), ['feat/x', 'light', 'main', 'v1'])
  const { tags } = await repo.get('/refs')
  assert.ok(tags.every((tag) => tag.target_commit === head))
  await work.git('push', '-q', '-f', 'origin', 'main:feat/x', 'main:light')
  await work.git('push', '-q', 'origin', ':feat/x', 'HEAD:refs/heads/feat')
  assert.deepEqual(await names(), ['feat', 'light', 'main', 'v1'])
  await work.git('push', '-q', 'origin', ':feat', ':v1', 'main:refs/heads/feat/y')
  assert.deepEqual(await names(), ['feat/y', 'light', 'main'])
})

test('an atomic push moves all refs or none', async () => {
  const { repo, work } = await given()
  await work.commit({ a: '1\n' })
  const said = await work.refused('--atomic', 'origin', 'main', 'main:refs/convert/x')
  assert.match(said, /not writable/)
  assert.match(said, /atomic/)
  assert.notEqual((await repo.get('')).head_commit, await work.head())
  await work.git('push', '-q', '--atomic', 'origin', 'main', 'main:other')
  assert.equal((await repo.get('')).head_commit, await work.head())
})

test('a body of unknown length is asked for before it is sent', async () => {
  const { repo, work } = await given()
  await work.commit({ 'large.txt': 'many words '.repeat(500_000) })
  await work.git('-c', 'http.postBuffer=4096', 'push', '-q')
  assert.equal((await repo.get('')).head_commit, await work.head())
})

test('a shallow clone pushes', async () => {
  const { repo, work: full } = await given()
  for (const n of [1, 2, 3]) await full.commit({ n: `${n}\n` })
  await full.git('push', '-q')
  const work = await bench.clone(repo.url, ['--depth', '1'])
  const head = await work.commit({ n: 'from a shallow clone\n' })
  await work.git('push', '-q')
  assert.equal((await repo.get('')).head_commit, head)
  await full.git('pull', '-q')
  await full.fsck()
})

test('merges and a history of two roots are taken, first parents listed', async () => {
  const { repo, work } = await given()
  await work.git('checkout', '-qb', 'side')
  await work.commit({ side: '1\n' }, 'on the side')
  await work.git('checkout', '-q', 'main')
  await work.commit({ main: '1\n' }, 'on main')
  await work.git('merge', '-q', '--no-ff', '-m', 'joined', 'side')
  await work.git('checkout', '-q', '--orphan', 'root')
  await work.commit({ root: '1\n' }, 'another root')
  await work.git('checkout', '-q', 'main')
  await work.git('merge', '-q', '--allow-unrelated-histories', '-m', 'both', 'root')
  await work.git('push', '-q')
  const { items } = await repo.get('/commits')
  assert.deepEqual(
    items.map(({ title }) => title),
    ['both', 'joined', 'on main', 'initial commit'],
  )
  assert.equal(items[0].parents.length, 2)
})

test('a long history is taken at once and listed soon', async () => {
  const { repo, work } = await given()
  const stream = ['reset refs/heads/main\nfrom refs/heads/main^0\n']
  for (let i = 0; i < 2500; i++) {
    const said = `step ${i}`
    stream.push(
      `commit refs/heads/main\ncommitter Ada <ada@example.org> ${1_700_000_000 + i} +0000\n`,
      `data ${said.length}\n${said}\nM 100644 inline steps/${i % 50}.txt\ndata ${said.length}\n${said}\n`,
    )
  }
  await work.write({ '../stream': stream.join('') })
  const { code } = await bench.attempt(
    ['-c', `alias.feed=!git fast-import --quiet < '${work.folder}/../stream'`, 'feed'],
    {
      cwd: work.folder,
    },
  )
  assert.equal(code, 0)
  await work.git('push', '-q', 'origin', 'main')
  const head = await work.head('refs/heads/main')
  assert.equal((await repo.get('')).head_commit, head)
  for (let i = 0; i < 300 && (await repo.get('/commits')).items.length === 0; i++) await pause(100)
  const { items } = await repo.get('/commits?limit=500')
  assert.equal(items[0].sha, head)
  assert.equal(items.length, 500)
  const steps = await entriesOf(repo, '/steps')
  assert.equal(steps.length, 50)
})

test('the pusher sees it through every API, and clones get it', async () => {
  const { repo, work } = await given()
  const pushed = await work.commit({ 'from-git.txt': 'g\n' })
  await work.git('push', '-q')
  const { commit } = await repo.commit({ 'from-api.txt': 'a\n' })
  await work.git('pull', '-q')
  assert.equal(await work.head(), commit)
  assert.equal(await work.head('HEAD~1'), pushed)
  await work.fsck()
})

test('only the user who opened a pull request may push to it', async () => {
  const { repo, work } = await given()
  const reader = await server.newPerson('reader')
  const token = await reader.token()
  const lines = [
    { key: 'header', value: { summary: 'an idea' } },
    { key: 'file', value: { path: 'idea.txt', content: btoa('one\n'), encoding: 'base64' } },
  ]
  const opened = await fetch(`${server.url}/api/models/${repo.ns}/${repo.name}/commit/main?create_pr=1`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  })
  assert.equal(opened.status, 200)
  const theirs = addressOf(server, reader, token, repo)
  const clone = await bench.clone(theirs.url)
  assert.doesNotMatch(await clone.git('for-each-ref'), /refs\/pr/)
  await clone.git('fetch', '-q', 'origin', 'refs/pr/1:pull')
  await clone.git('checkout', '-q', 'pull')
  const head = await clone.commit({ 'idea.txt': 'two\n' }, 'better')
  await clone.git('push', '-q', 'origin', 'HEAD:refs/pr/1')
  assert.equal((await repo.get('/refs')).pull_requests[0].target_commit, head)
  assert.match(await clone.refused('origin', 'HEAD:main'), /you may not write/)
  const other = await server.newPerson('other')
  const others = addressOf(server, other, await other.token(), repo)
  await clone.git('commit', '-q', '--allow-empty', '-m', 'more')
  assert.match(await clone.refused(others.url, 'HEAD:refs/pr/1'), /remote rejected/)
  await work.git('push', '-q', 'origin', 'HEAD:refs/heads/unrelated')
  await work.refused('origin', ':refs/pr/1')
})
