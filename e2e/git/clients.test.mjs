// Third-party clients: each clones, fetches and pushes, one file and a thousand, while packs are compacted.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openServer } from './server.mjs'
import { givenRepo, manyFiles, openBench } from './workbench.mjs'

const clients = JSON.parse(process.env.ARSENAL_GIT_CLIENTS ?? '{}')
const run = promisify(execFile)
let server
let bench

before(async () => {
  server = await openServer({ 'git.compact_threshold': '2' })
  bench = await openBench()
})
after(async () => {
  await bench?.close()
  await server?.close()
})

/** Waits until the packs of a repo were joined once. */
async function joined(repo) {
  const done = `/jobs?repo=models/${repo.ns}/${repo.name}&kind=git.compact&status=succeeded`
  for (let i = 0; i < 200; i++) {
    if ((await repo.owner.native('GET', done)).items.length > 0) return
    await pause(50)
  }
  assert.fail('the packs were not joined')
}

test('the set-up has brought every client', () => {
  assert.deepEqual(Object.keys(clients).sort(), ['dulwich', 'go-git', 'isomorphic-git', 'libgit2'])
})

describe('clients', { concurrency: 2 }, () => {
  for (const [name, [program, ...given]] of Object.entries(clients))
    test(`${name} clones, fetches and pushes, also while packs are joined`, async () => {
      const repo = await givenRepo(server, { visibility: 'private' })
      const env = { ...bench.env, CLIENT_USER: repo.owner.username, CLIENT_TOKEN: repo.token }
      const client = async (...args) => (await run(program, [...given, ...args], { env })).stdout.trim()
      const filesOf = async (sha, cwd) =>
        (await bench.git(['ls-tree', '-r', '--name-only', sha], { cwd })).split('\n').length

      await repo.commit({ 'one.txt': '1\n' })
      await repo.commit(manyFiles(1000))
      const { head_commit: head, file_count: count } = await repo.get('')
      const folder = bench.path()
      assert.equal(await client('clone', repo.open, folder), head)
      assert.equal(await filesOf(head, folder), count)

      await repo.commit({ 'one.txt': '2\n' })
      await joined(repo)
      const { commit: next } = await repo.commit({ 'two.txt': '2\n' })
      assert.equal(await client('fetch', folder), next)
      await bench.git(['reset', '-q', '--hard', next], { cwd: folder })

      for (const files of [1, 1000]) {
        const pushed = await client('push', folder, String(files))
        assert.equal((await repo.get('')).head_commit, pushed)
      }
      assert.equal((await repo.get('')).file_count, count + 1 + 1001)
      const fresh = await bench.clone(repo.url)
      await fresh.fsck()
    })
})
