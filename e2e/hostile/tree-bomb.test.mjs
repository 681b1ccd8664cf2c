// A few small objects that stand for very many paths, pushed with real git.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { givenRepo, openBench } from '../git/workbench.mjs'
import { openTarget } from './target.mjs'

const MAX_PATHS = 1_000_000
const READERS = 6

let target
let bench
let repo
let work

before(async () => {
  target = await openTarget()
  bench = await openBench()
  repo = await givenRepo(target, { visibility: 'public' })
  await repo.commit({ 'one.txt': '1\n' })
  work = await bench.clone(repo.url)
})
after(async () => {
  await bench?.close()
  await target?.stop()
})

/** Runs git in the clone with input; its output without the last newline. */
function plumb(args, input = '') {
  return new Promise((resolve, reject) => {
    const child = execFile('git', args, { cwd: work.folder, env: bench.env }, (error, stdout) =>
      error ? reject(error) : resolve(stdout.trimEnd()),
    )
    // A git that reads no input may have ended already.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

const mktree = (lines) => plumb(['mktree'], lines.map((line) => `${line}\n`).join(''))
const times = (n, line) => Array.from({ length: n }, (_, i) => line(i))

/** A folder of `files`, below `levels` levels of `width` times the same folder; `extra` files beside the topmost. */
async function treeOf({ width, levels, files = width, extra = 0 }) {
  const blob = await plumb(['hash-object', '-w', '--stdin'], 'boom\n')
  const line = (i) => `100644 blob ${blob}\tf${i}`
  let tree = await mktree(times(files, line))
  for (let level = 1; level <= levels; level++) {
    const below = tree
    const beside = level === levels ? times(extra, line) : []
    tree = await mktree([...times(width, (i) => `040000 tree ${below}\td${i}`), ...beside])
  }
  return tree
}

const commitOf = (tree, parent, message = 'boom') =>
  plumb(['commit-tree', tree, '-m', message, ...(parent ? ['-p', parent] : [])])

async function refused(url, commit, ref) {
  const { code, said } = await bench.attempt(['push', url, `${commit}:${ref}`], { cwd: work.folder })
  assert.notEqual(code, 0, `${ref} was taken`)
  assert.match(said, /remote: arsenal: push rejected, a commit holds more than 1000000 files and folders/)
  assert.match(said, /remote: Pack small files into archives/)
  assert.match(said, new RegExp(`\\[remote rejected\\] .* \\(a commit holds more than`))
}

test('a billion paths in twelve objects, and ten million in twelve, are refused with the reason', async () => {
  const head = await work.head()
  const bombs = [
    await commitOf(await treeOf({ width: 10, levels: 9 }), head),
    await commitOf(await treeOf({ width: 5, levels: 10 }), head),
  ]
  await target.withstand(async () => {
    for (const [i, bomb] of bombs.entries()) await refused(repo.url, bomb, `refs/heads/bomb-${i}`)
    await refused(repo.url, bombs[0], 'refs/heads/main')
  })
})

test('they are refused in the middle of a history and on the side of a merge', async () => {
  const head = await work.head()
  const good = await plumb(['rev-parse', 'HEAD^{tree}'])
  const bomb = await commitOf(await treeOf({ width: 10, levels: 8 }), head)
  const over = await commitOf(good, bomb, 'over')
  const merge = await plumb(['commit-tree', good, '-p', head, '-p', bomb, '-m', 'merge'])
  await target.withstand(async () => {
    for (const tip of [over, merge]) await refused(repo.url, tip, 'refs/heads/main')
  })
})

test('a pack large enough to be indexed by git is refused like a small one', async () => {
  const noise = times(120, (i) => `noise ${i}\n`)
  const blobs = await Promise.all(noise.map((text) => plumb(['hash-object', '-w', '--stdin'], text)))
  const beside = await mktree(blobs.map((blob, i) => `100644 blob ${blob}\tn${i}`))
  const boom = await treeOf({ width: 10, levels: 9 })
  const tree = await mktree([`040000 tree ${beside}\tbeside`, `040000 tree ${boom}\tboom`])
  const bomb = await commitOf(tree, await work.head())
  await target.withstand(() => refused(repo.url, bomb, 'refs/heads/large-pack'))
})

test('a reader cannot push them in a pull request', async () => {
  const reader = await target.newPerson('reader')
  const token = await reader.token('push', ['write'])
  const { num } = await reader.native('POST', `${repo.api}/discussions`, {
    kind: 'pull_request',
    title: 'boom',
    body: 'boom',
  })
  const url = repo.open.replace('://', `://${reader.username}:${token}@`)
  const bomb = await commitOf(await treeOf({ width: 10, levels: 9 }), await work.head())
  await target.withstand(() => refused(url, bomb, `refs/pr/${num}`))
})

test('folders may be 64 levels deep', async () => {
  const tree = await treeOf({ width: 1, levels: 64 })
  const bomb = await commitOf(tree, await work.head())
  const said = await target.withstand(() => work.refused('-q', repo.url, `${bomb}:refs/heads/deep`))
  assert.match(said, /a commit holds folders more than 64 levels deep/)
})

test('the most paths that are accepted leave others served, and one commit more is refused', async () => {
  const shape = { width: 10, levels: 4, files: 98, extra: 8880 }
  const paths = 10 ** 4 * shape.files + 10 + 10 ** 2 + 10 ** 3 + 10 ** 4 + shape.extra
  assert.equal(paths, MAX_PATHS - 10)
  const large = await commitOf(await treeOf(shape), await work.head())
  const api = `${target.url}/api/models/${repo.ns}/${repo.name}`
  const headers = { Authorization: `Bearer ${repo.token}` }
  await target.withstand(async () => {
    await work.git('push', '-q', repo.url, `${large}:refs/heads/large`)
    const answers = await Promise.all(
      times(READERS, () => fetch(`${api}/revision/large?blobs=true`, { headers }).then((a) => a.json())),
    )
    // More than 50 000 tells hub clients to list the tree.
    for (const { siblings } of answers) assert.equal(siblings.length, 50_001)
    assert.deepEqual(answers[0].siblings[0], {
      rfilename: 'd0/d0/d0/d0/f0',
      size: 5,
      blobId: await plumb(['hash-object', '--stdin'], 'boom\n'),
    })
    const detail = await repo.get(`/commits/${large}`)
    assert.equal(detail.truncated, true)
    const page = await fetch(`${api}/tree/large?recursive=true`, { headers })
    assert.equal((await page.json()).length, 1000)
  })
  const added = Object.fromEntries(times(20, (i) => [`more/${i}.txt`, `${i}\n`]))
  const operations = Object.entries(added).map(([path, text]) => ({ op: 'add', path, text }))
  await assert.rejects(
    repo.owner.native('POST', `${repo.api}/commits`, { branch: 'large', title: 'more', operations }),
    /422 .*more than 1000000 files and folders.*"validation-failed"/,
  )
})

test('the repo is as usable as before', async () => {
  await repo.commit({ 'two.txt': '2\n' })
  const clone = await bench.clone(repo.url)
  const pushed = await clone.commit({ 'three.txt': '3\n' })
  await clone.git('push', '-q', repo.url, 'HEAD:main')
  assert.equal((await repo.get('')).head_commit, pushed)
})
