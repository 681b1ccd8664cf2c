// Credentials from a `.netrc`, as curl and libraries on top of it read them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { openServer } from './server.mjs'
import { givenRepo, openBench } from './workbench.mjs'

const run = promisify(execFile)
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

test('curl reads a private file by the token of a .netrc, and nothing by a wrong one', async () => {
  const repo = await givenRepo(server, { visibility: 'private' })
  const fetched = async (password) => {
    const netrc = bench.path('netrc')
    await writeFile(netrc, `machine 127.0.0.1 login ${repo.owner.username} password ${password}\n`)
    const file = `${repo.open}/resolve/main/.gitattributes`
    const { stdout } = await run('curl', ['-s', '-w', '%{http_code}', '--netrc-file', netrc, file])
    return stdout
  }
  assert.match(await fetched(repo.token), /filter=lfs[^]*200$/)
  assert.match(await fetched(`hf_${'x'.repeat(40)}`), /401$/)
})
