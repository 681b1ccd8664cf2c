// `arsenal fsck` that is killed while it works, and goes on: nothing is half repaired, no damage is lost, no repo half exported.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { hubClient, lfsFile } from '../bench/seed.mjs'
import { openBench } from '../git/workbench.mjs'
import { startServer } from '../fixtures/server.mjs'
import { arsenal, killedMidway } from './program.mjs'

let server
let bench
let hub
let username
before(async () => {
  bench = await openBench()
  server = await startServer()
  const admin = await server.login()
  ;({ username } = admin)
  hub = hubClient(server.url, await admin.token())
})
after(async () => {
  await server?.stop()
  await bench?.close()
})

/** Sends the bytes of large files that the server has not got; answers the lines of a commit that adds them. */
async function send(repo, contents) {
  const asked = contents.map(({ oid, bytes }) => ({ oid, size: bytes.length }))
  const objects = []
  for (let from = 0; from < asked.length; from += 100)
    objects.push(...(await hub.batch(repo, asked.slice(from, from + 100))).objects)
  for (const { oid, actions } of objects) {
    const { bytes } = contents.find((content) => content.oid === oid)
    if (actions?.upload) assert.ok((await fetch(actions.upload.href, { method: 'PUT', body: bytes })).ok)
  }
  return contents.map(({ path, oid, bytes }) => lfsFile(path, oid, bytes.length))
}

async function statusOf(repo, path) {
  const answer = await fetch(`${server.url}/${repo}/resolve/main/${path}`)
  await answer.arrayBuffer()
  return answer.status
}

/** Where the store has a large file. */
async function storedFile(oid) {
  const blobs = join(server.dir, 'blobs')
  const [path] = (await readdir(blobs, { recursive: true })).filter((name) => name.includes(oid))
  return join(blobs, path)
}

const findingsOf = (stdout) =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
const namedIn = (findings, check) =>
  findings.filter((one) => one.check === check).map(({ message }) => /[0-9a-f]{64}/.exec(message)[0])

test('a repair that is killed goes on with --resume, and ends as one that was not', async () => {
  const repo = `${username}/damaged`
  await hub.create(repo)
  const contents = Array.from({ length: 200 }, (_, i) => {
    const bytes = randomBytes(50_000)
    return { path: `${i}.bin`, bytes, oid: createHash('sha256').update(bytes).digest('hex') }
  })
  await hub.commit(repo, 'Add files', await send(repo, contents))
  const damaged = contents.filter((_, i) => i % 6 === 0)
  for (const { oid } of damaged) await truncate(await storedFile(oid), 49_000)
  const damagedOids = damaged.map(({ oid }) => oid).toSorted()

  const command = ['fsck', '--deep', '--repair', ...server.flags]
  const first = await killedMidway(command, ({ stdout }) => stdout.split('\n').length > 3)
  // The last line may be cut.
  const before = namedIn(findingsOf(first.stdout.slice(0, first.stdout.lastIndexOf('\n') + 1)), 'lfs.object')
  assert.ok(before.length >= 3 && before.length < damaged.length, `${before.length} were found before`)
  assert.ok(existsSync(join(server.dir, 'fsck.json')), 'it has noted how far it came')

  const second = await arsenal([...command, '--resume'])
  const found = findingsOf(second.stdout)
  const repaired = namedIn(found, 'lfs.object')
  // The one that it was repairing may be in quarantine without having been named.
  assert.ok([...before, ...repaired].length >= damaged.length - 1)
  assert.deepEqual(
    [...before, ...repaired].filter((oid) => !damagedOids.includes(oid)),
    [],
  )
  assert.deepEqual(namedIn(found, 'lfs.link').toSorted(), damagedOids, 'what is in quarantine')
  assert.equal(second.code, 1)
  assert.equal(second.stderr.trim().split('\n').at(-1), `${damaged.length} errors.`)
  assert.ok(!existsSync(join(server.dir, 'fsck.json')))

  // Damaged files are not sent, and all others are.
  for (const { path, oid } of contents.slice(0, 12))
    assert.equal(await statusOf(repo, path), damagedOids.includes(oid) ? 503 : 200, path)
  await send(repo, damaged)
  const last = await arsenal(['fsck', '--deep', ...server.flags])
  assert.deepEqual([last.code, last.stdout], [0, ''])
  assert.equal(await statusOf(repo, damaged[0].path), 200)
})

test('an export that is killed leaves no half repo, and --resume brings the rest', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `exported-${i}`)
  for (const name of names) {
    const repo = `${username}/${name}`
    await hub.create(repo)
    const content = randomBytes(1_000_000).toString('base64')
    await hub.commit(repo, 'Add a file', [
      { key: 'file', value: { path: 'notes.txt', content, encoding: 'base64' } },
    ])
  }
  const folder = bench.path()
  const place = join(folder, username)
  const exported = async () =>
    existsSync(place) ? (await readdir(place)).filter((name) => name.endsWith('.git')) : []
  const command = ['fsck', '--export', folder, ...server.flags]
  await killedMidway(command, () => existsSync(place))
  const before = await exported()
  assert.ok(before.length < names.length)
  for (const name of before) await bench.git(['-C', join(place, name), 'fsck', '--strict', '--full'])

  const resumed = await arsenal([...command, '--resume'])
  assert.equal(resumed.code, 0, resumed.stderr)
  const all = await readdir(place)
  assert.deepEqual(
    names.filter((name) => !all.includes(`${name}.git`)),
    [],
  )
  assert.deepEqual(
    all.filter((name) => !name.endsWith('.git')),
    [],
  )
  for (const name of names) await bench.git(['-C', join(place, `${name}.git`), 'fsck', '--strict', '--full'])

  const again = await arsenal(command)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /\.git exists already\. .*--resume/)
})
