// The test that the makers of git-lfs have for servers. It names no branch: its batches carry an empty `ref`.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { openServer } from './server.mjs'
import { givenRepo, openBench } from './workbench.mjs'

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

test("git-lfs' own test of servers passes", async () => {
  const repo = await givenRepo(server, { visibility: 'private' })
  const work = await bench.clone(repo.url)
  const child = spawn(process.env.ARSENAL_LFS_SERVER_TEST, ['--clone', repo.url], {
    cwd: work.folder,
    env: bench.env,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'close')
  assert.equal(code, 0, said)
  assert.match(said, /All tests passed/)
})
