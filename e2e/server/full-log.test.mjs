// The disk that takes the log is full: no request fails for it, and the log goes on once there is room.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startServer } from '../fixtures/server.mjs'

let disk
let server
let token
before(async () => {
  disk = mkdtempSync(join(tmpdir(), 'arsenal-full-log-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk])
  mkdirSync(join(disk, 'blobs'))
  const under = ['sh', '-c', 'log=$1; shift; exec "$@" >>"$log"', 'sh', join(disk, 'log')]
  server = await startServer({ 'storage.fs.path': join(disk, 'blobs') }, { under })
  token = await (await server.login()).token()
})
after(async () => {
  await server?.stop()
  execFileSync('umount', [disk])
  rmSync(disk, { recursive: true })
})

const ask = (method, path, body) =>
  fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

const create = (name) => ask('POST', '/api/service/v1/repos', { type: 'model', ns: 'service-admin', name })

test('a line that the disk does not take fails no request, and later ones are written', async () => {
  const ballast = join(disk, 'ballast')
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(ballast, Buffer.alloc(bavail * bsize))
  // The last page of the log may have room for some lines.
  for (let i = 0; i < 40; i++) {
    const refused = await create(`full-${i}`)
    assert.equal(refused.status, 507)
    assert.equal((await refused.json()).code, 'storage-full')
    assert.equal((await ask('GET', '/api/models')).status, 200)
  }
  rmSync(ballast)
  const made = await create('after')
  assert.equal(made.status, 201, await made.text())
  // A line that was cut is written to its end.
  const lines = readFileSync(join(disk, 'log'), 'utf8').trim().split('\n')
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  assert.equal(requests.filter(({ status }) => status === 507).length, 40)
  assert.equal(requests.at(-1).status, 201)
})
