// Concurrent pushes and fetches, clients that disconnect, and killed servers.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readlink } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startServer } from '../fixtures/server.mjs'
import { openServer } from './server.mjs'
import { givenRepo, openBench } from './workbench.mjs'

let server
let bench

before(async () => {
  server = await openServer({ 'git.compact_threshold': '3' })
  bench = await openBench()
})
after(async () => {
  await bench?.close()
  await server?.close()
})

/** Processes whose working folder is one of this server's. */
async function gitsAtWork(folder) {
  const found = []
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    if (cwd.startsWith(`${folder}/cache/git`)) found.push(pid)
  }
  return found
}

async function until(what, isSo) {
  for (let i = 0; i < 200; i++) {
    if (await isSo()) return
    await pause(50)
  }
  assert.fail(`${what} did not come about`)
}

test('pushes and commits of the API to one branch: each that was acknowledged is in the one history', async () => {
  const repo = await givenRepo(server)
  const works = await Promise.all([1, 2].map(() => bench.clone(repo.url)))
  const acknowledged = []
  const byGit = async (work, who) => {
    for (let round = 0; round < 6; round++) {
      const sha = await work.commit({ [`git-${who}-${round}.txt`]: `${round}\n` })
      let pushed = false
      for (let i = 0; i < 20 && !pushed; i++) {
        pushed = (await work.attempt('push', '-q', 'origin', 'main')).code === 0
        if (!pushed) await work.git('pull', '-q', '--rebase')
      }
      assert.ok(pushed, `${sha} was never taken`)
      acknowledged.push(`git-${who}-${round}.txt`)
    }
  }
  const byApi = async () => {
    for (let round = 0; round < 12; round++) {
      await repo.commit({ [`api-${round}.txt`]: `${round}\n` })
      acknowledged.push(`api-${round}.txt`)
    }
  }
  await Promise.all([byApi(), ...works.map(byGit)])
  const fresh = await bench.clone(repo.url)
  await fresh.fsck()
  const files = new Set((await fresh.git('ls-files')).split('\n'))
  for (const path of acknowledged) assert.ok(files.has(path), `${path} is lost`)
  assert.equal(acknowledged.length, 24)
  const { items } = await repo.get('/commits?limit=100')
  assert.equal(items.length, Number(await fresh.git('rev-list', '--count', '--first-parent', 'HEAD')))
})

test('clones while packs are joined get whole histories', async () => {
  const repo = await givenRepo(server)
  await repo.commit({ 'start.txt': '0\n' })
  const commits = (async () => {
    for (let i = 0; i < 15; i++) await repo.commit({ 'moving.txt': `${i}\n` })
  })()
  for (let i = 0; i < 8; i++) await (await bench.clone(repo.open)).fsck()
  await commits
})

test('a client that leaves in the middle leaves no git behind', async () => {
  const repo = await givenRepo(server)
  const work = await bench.clone(repo.url)
  for (let i = 0; i < 8; i++) await work.commit({ [`${i}.bin`]: randomBytes(9 * 1024 * 1024) })
  await work.git('push', '-q', 'origin', 'main')
  const { child, done } = bench.start(['clone', '-q', repo.open, bench.path('cut')])
  await until('a clone', async () => (await gitsAtWork(server.dir)).length > 0)
  child.kill('SIGKILL')
  await done
  await until('the end of its git', async () => (await gitsAtWork(server.dir)).length === 0)
  await until('the end of its folder', async () =>
    (await readdir(`${server.dir}/cache/git/.tmp`)).every((name) => !name.endsWith('.git')),
  )
})

test('a server killed in the middle of a push has the whole push or nothing, and takes it again', async () => {
  const own = await startServer()
  let back
  try {
    const repo = await givenRepo(own)
    const before = (await repo.get('')).head_commit
    const work = await bench.clone(repo.url)
    for (let i = 0; i < 4; i++) await work.commit({ [`${i}.bin`]: randomBytes(8 * 1024 * 1024) })
    const head = await work.head()
    const { done } = bench.start(['push', '-q', 'origin', 'main'], { cwd: work.folder })
    await until('index-pack', async () => (await gitsAtWork(own.dir)).length > 0)
    await own.kill()
    await done
    back = await startServer({}, { dir: own.dir })
    assert.equal((await back.cli(['fsck', '--deep'])).trim(), '')
    const url = repo.url.replace(`:${own.port}`, `:${back.port}`)
    const listed = async () => (await bench.git(['ls-remote', url, 'refs/heads/main'])).split('\t')[0]
    assert.ok([before, head].includes(await listed()), 'the branch is where nobody put it')
    await work.git('push', '-q', url, 'main')
    assert.equal(await listed(), head)
    assert.equal((await back.cli(['fsck', '--deep'])).trim(), '')
  } finally {
    await back?.kill()
    await own.stop()
  }
})
