// Credentials from a `.netrc`, as curl, wget and Python's requests read them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { ensurePython } from '../../api/dev/toolchain/python.mjs'
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

/** Runs a program whose home has a `.netrc`, without a proxy on the way. */
async function withNetrc(login, password, start) {
  const home = bench.path()
  await mkdir(home, { recursive: true })
  const line = `machine 127.0.0.1 login ${login} password ${password}\n`
  await writeFile(join(home, '.netrc'), line, { mode: 0o600 })
  return start({ PATH: process.env.PATH, HOME: home, NO_PROXY: '*', no_proxy: '*' })
}

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

test('wget reads a private file by the token of a .netrc in the home of its caller', async () => {
  const repo = await givenRepo(server, { visibility: 'private' })
  const file = `${repo.open}/resolve/main/.gitattributes`
  const fetched = (password) =>
    withNetrc(repo.owner.username, password, (env) =>
      run('wget', ['-qO-', '--auth-no-challenge', file], { env }),
    )
  assert.match((await fetched(repo.token)).stdout, /filter=lfs/)
  await assert.rejects(fetched(`hf_${'x'.repeat(40)}`), { code: 6, stdout: '' })
})

test('requests of Python reads a private file by the token of a .netrc, whole and in part', async () => {
  const { a: python } = await ensurePython()
  const repo = await givenRepo(server, { visibility: 'private' })
  const script = `
import json, sys, requests
whole = requests.get(sys.argv[1])
part = requests.get(sys.argv[1], headers={"Range": "bytes=0-3"})
print(json.dumps([whole.status_code, "filter=lfs" in whole.text, part.status_code, len(part.content)]))
`
  const file = `${repo.open}/resolve/main/.gitattributes`
  const fetched = async (password) => {
    const read = (env) => run(python, ['-c', script, file], { env })
    return JSON.parse((await withNetrc(repo.owner.username, password, read)).stdout)
  }
  assert.deepEqual(await fetched(repo.token), [200, true, 206, 4])
  assert.deepEqual((await fetched(`hf_${'x'.repeat(40)}`)).slice(0, 2), [401, false])
})
