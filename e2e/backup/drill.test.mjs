import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { openBench } from '../git/workbench.mjs'
import { startServer } from '../fixtures/server.mjs'
import { openPlace, openStores } from '../topology/stores.mjs'
import { pushByGit, readByGit, readByHub, uploadByHub } from './clients.mjs'
import { keepCommitting } from './load.mjs'
import { arsenal, flagsOf, killedMidway, start } from './program.mjs'

let stores
let bench
before(async () => {
  stores = await openStores()
  bench = await openBench()
})
after(async () => {
  await bench?.close()
  await stores?.stop()
})

/** A database in files and a folder of bytes. */
async function filesPlace() {
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-drill-'))
  return { dir, settings: {}, remove: () => rm(dir, { recursive: true, force: true }) }
}

/** Postgres and a bucket; the folder holds what a process keeps for itself. */
async function serversPlace() {
  const [files, servers] = [await filesPlace(), await openPlace(stores)]
  const remove = async () => {
    await servers.remove()
    await files.remove()
  }
  return { dir: files.dir, settings: { ...servers.settings, 'storage.s3.download_mode': 'proxy' }, remove }
}

const isFilled = (folder) => existsSync(folder) && readdirSync(folder).length > 0

/** Settings of a server at a place, for commands beside it. */
const settingsAt = ({ dir, settings }) => ({
  'server.data_dir': dir,
  'server.public_url': 'http://127.0.0.1:9',
  'database.dsn': join(dir, 'service.db'),
  'storage.fs.path': join(dir, 'blobs'),
  'git.cache_dir': join(dir, 'cache', 'git'),
  'telemetry.log_level': 'error',
  ...settings,
})

const drills = [
  { title: 'from files to Postgres and a bucket', from: filesPlace, to: serversPlace, kills: 'backup' },
  { title: 'from Postgres and a bucket to files', from: serversPlace, to: filesPlace, kills: 'restore' },
]

for (const { title, from, to, kills } of drills)
  test(`a drill ${title}, with a kill of the ${kills}`, async () => {
    const source = await from()
    const target = await to()
    const backups = await filesPlace()
    let server
    try {
      server = await startServer(source.settings, { dir: source.dir })
      const { native, token: newToken, username } = await server.login()
      const token = await newToken()
      const where = (name) => ({ url: server.url, repo: `${username}/${name}`, token })
      for (const name of ['by-git', 'by-hub', 'busy'])
        await native('POST', '/repos', { type: 'model', ns: username, name })
      const byGit = await pushByGit(bench, where('by-git'))
      const byHub = await uploadByHub(bench, where('by-hub'))
      const load = keepCommitting(where('busy'))
      while (load.acknowledged.size < 25) await Promise.race([load.failed, pause(20)])

      // Everything acknowledged by now is in it.
      const acknowledged = new Map(load.acknowledged)
      const command = ['backup', '--to', backups.dir, '--json', ...flagsOf(settingsAt(source))]
      if (kills === 'backup') await killedMidway(command, () => isFilled(join(backups.dir, 'blobs', 'git')))
      const interrupted =
        readdirSync(backups.dir).includes('backups') && readdirSync(join(backups.dir, 'backups'))
      const first = await arsenal(command)
      assert.equal(first.code, 0, first.stderr)
      const made = JSON.parse(first.stdout)
      if (kills === 'backup')
        assert.deepEqual(interrupted, [made.backup], 'it continues the one that was killed')
      assert.deepEqual(made.damaged, [])

      while (load.acknowledged.size < acknowledged.size + 10) await Promise.race([load.failed, pause(20)])
      const again = await arsenal([...command, '--incremental'])
      assert.equal(again.code, 0, again.stderr)
      const second = JSON.parse(again.stdout)
      // What the first holds is not copied again. Its packs may be repacked by then, so that blobs of both differ.
      assert.ok(
        second.new_blobs > 0 && second.new_blobs < second.blobs && second.new_bytes < made.new_bytes,
        JSON.stringify({ made, second }),
      )
      await load.stop()
      await server.stop()

      const verified = await arsenal([
        'backup',
        'verify',
        '--from',
        backups.dir,
        ...flagsOf(settingsAt(source)),
      ])
      assert.equal(verified.code, 0, verified.stderr)

      const bring = ['restore', '--from', backups.dir, '--backup', made.backup, '--verify', '--json']
      const restored = settingsAt(target)
      if (kills === 'restore') {
        await killedMidway([...bring, ...flagsOf(restored)], () => isFilled(join(target.dir, 'blobs', 'git')))
        const refused = await arsenal(['serve', ...flagsOf(restored)])
        assert.equal(refused.code, 1)
        assert.match(refused.stderr, /has not finished/)
      }
      const result = await arsenal([...bring, ...flagsOf(restored)])
      assert.equal(result.code, 0, result.stderr)
      assert.equal(JSON.parse(result.stdout).errors, 0)

      server = await startServer(target.settings, { dir: target.dir })
      await readByGit(bench, where('by-git'), byGit)
      await readByHub(bench, where('by-hub'), byHub)
      await readByHub(bench, where('busy'), acknowledged)
      await server.stop()
    } finally {
      await server?.kill()
      for (const place of [source, target, backups]) await place.remove()
    }
  })

test('a store moves from a folder to a bucket and back, while it is read', async () => {
  const source = await filesPlace()
  const bucket = await serversPlace()
  const back = await filesPlace()
  const inBucket = Object.fromEntries(
    Object.entries(bucket.settings).filter(([key]) => key.startsWith('storage.')),
  )
  let server
  try {
    server = await startServer(source.settings, { dir: source.dir })
    const { native, token: newToken, username } = await server.login()
    const token = await newToken()
    const where = () => ({ url: server.url, repo: `${username}/moved`, token })
    await native('POST', '/repos', { type: 'model', ns: username, name: 'moved' })
    const files = await pushByGit(bench, where())
    const { 'storage.s3.bucket': name, 'storage.s3.prefix': prefix } = inBucket
    const credentials = { ...inBucket, 'storage.backend': 'fs' }
    const move = (to, settings) => [
      'migrate-store',
      '--to',
      to,
      '--json',
      ...flagsOf({ ...settingsAt(source), ...settings }),
    ]
    const beside = start(move(`s3://${name}/${prefix}`, credentials))
    await readByGit(bench, where(), files)
    assert.equal((await beside.done).code, 0)
    await server.stop()
    const last = await arsenal(move(`s3://${name}/${prefix}`, credentials))
    assert.equal(JSON.parse(last.stdout).server_stopped, true)
    server = await startServer(inBucket, { dir: source.dir })
    await readByGit(bench, where(), files)
    await server.stop()
    const returned = await arsenal(move(back.dir, inBucket))
    assert.equal(returned.code, 0, returned.stderr)
    server = await startServer({ 'storage.fs.path': back.dir }, { dir: source.dir })
    await readByGit(bench, where(), files)
    assert.doesNotMatch(await server.cli(['fsck', '--deep']), /"severity":"error"/)
    await server.stop()
  } finally {
    await server?.kill()
    for (const place of [source, bucket, back]) await place.remove()
  }
})
