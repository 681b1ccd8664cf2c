import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../fixtures/database.mjs'
import { openTarget } from './target.mjs'

const MIB = 1024 * 1024
const DISK_MIB = 64
/** What the server keeps free on a disk of this size: 5 %. */
const RESERVE_BYTES = (DISK_MIB * MIB) / 20

let disk
let target
let admin
let token

/** A disk of its own, so that it can be filled to the last byte; needs root, as in a container. */
function mountDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'arsenal-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw new Error(`This test mounts a tmpfs of ${DISK_MIB} MiB and needs the right to: ${error.stderr}`)
  }
  return folder
}

const freeBytes = () => {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}

/** Fills the disk as another program would, up to so many bytes. */
function fillTo(leftBytes) {
  const name = join(disk, `ballast-${randomBytes(4).toString('hex')}`)
  writeFileSync(name, Buffer.alloc(Math.max(0, freeBytes() - leftBytes)))
  return name
}

const bearer = (more = {}) => ({ Authorization: `Bearer ${token}`, ...more })

async function send(bytes, repo = 'kept') {
  const oid = createHash('sha256').update(bytes).digest('hex')
  const answer = await fetch(`${target.url}/service-admin/${repo}.git/info/lfs/objects/batch`, {
    method: 'POST',
    headers: bearer({ 'Content-Type': 'application/vnd.git-lfs+json' }),
    body: JSON.stringify({
      operation: 'upload',
      transfers: ['basic'],
      objects: [{ oid, size: bytes.length }],
    }),
  })
  assert.equal(answer.status, 200)
  const { objects } = await answer.json()
  return fetch(objects[0].actions.upload.href, { method: 'PUT', body: bytes })
}

async function signIn() {
  const answer = await fetch(`${target.url}/api/service/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: target.url },
    body: JSON.stringify({ username: 'service-admin', password: 'correct horse battery staple' }),
  })
  await answer.body?.cancel()
  return answer.status
}

const read = async (path) => {
  const answer = await fetch(`${target.url}${path}`, { headers: bearer() })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** Makes it night: the next `gc` is due now. Answers the job when it has ended. */
async function nextGc() {
  const db = openDatabase(disk)
  await db.execute("update job_schedules set next_at = 1 where kind = 'gc'")
  db.close()
  for (let tries = 0; tries < 600; tries++) {
    const { items } = await admin.native('GET', '/jobs?kind=gc')
    if (['succeeded', 'failed'].includes(items[0]?.status)) return items[0]
    await pause(100)
  }
  return assert.fail('the gc job did not end')
}

before(async () => {
  disk = mountDisk()
  // What the log says goes elsewhere: it would fill the disk by itself.
  const on = (name) => join(disk, name)
  mkdirSync(on('data'))
  target = await openTarget({
    'server.data_dir': on('data'),
    'database.dsn': on('service.db'),
    'storage.fs.path': on('blobs'),
    'git.cache_dir': on('cache'),
  })
  admin = await target.login()
  token = await admin.token('full disk', ['admin', 'write'])
  for (const name of ['kept', 'doomed', 'another'])
    await admin.native('POST', '/repos', { type: 'model', ns: 'service-admin', name, visibility: 'private' })
  const content = Buffer.from('still readable').toString('base64')
  const operations = [{ op: 'add', path: 'a.txt', content }]
  await admin.native('POST', '/repos/models/service-admin/kept/commits', { title: 'A file', operations })
})

after(async () => {
  await target?.stop()
  if (disk) execFileSync('umount', ['--lazy', disk])
  if (disk) rmSync(disk, { recursive: true })
})

test('a disk filled up to the reserve refuses uploads, and everything else goes on', async () => {
  const ballast = fillTo(RESERVE_BYTES)
  await target.withstand(async () => {
    const refused = await send(randomBytes(1000))
    assert.equal(refused.status, 507)
    assert.match(await refused.text(), /disk is too full.*Free \d+ bytes first/)
    assert.equal(await signIn(), 200)
    assert.equal((await read('/service-admin/kept/resolve/main/a.txt')).bytes.toString(), 'still readable')
    await admin.native('DELETE', '/repos/models/service-admin/doomed')
    assert.equal((await nextGc()).status, 'succeeded')
    assert.equal(await target.cli(['fsck']), '')
  })
  rmSync(ballast)
  assert.equal((await send(randomBytes(1000))).status, 200)
})

test('a disk filled to the last byte answers 507 to every write, reads on, and can be checked', async () => {
  const ballast = fillTo(0)
  const comment = JSON.stringify({ title: 'A large text', description: 'x'.repeat(60_000) })
  await target.withstand(async () => {
    const statuses = new Set()
    for (let i = 0; i < 40; i++) {
      const answer = await fetch(`${target.url}/api/models/service-admin/kept/discussions`, {
        method: 'POST',
        headers: bearer({ 'Content-Type': 'application/json' }),
        body: comment,
      })
      statuses.add(answer.status)
      await answer.body?.cancel()
    }
    assert.ok(statuses.has(507), 'a write was refused')
    assert.deepEqual(
      [...statuses].filter((status) => status !== 507 && status !== 200 && status !== 201),
      [],
    )
    assert.equal((await read('/service-admin/kept/resolve/main/a.txt')).status, 200)
    assert.equal(await target.cli(['fsck']), '')
  })
  await target.kill()
  assert.equal(await target.cli(['fsck']), '', 'and with no server beside it')
  rmSync(ballast)
})
