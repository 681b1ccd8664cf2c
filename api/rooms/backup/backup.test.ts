import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { schema } from '../../app/schema.ts'
import { extendHold, heldUntil, releaseHold } from '../../core/lfs/index.ts'
import { codeOf, collect, hours, overFaulty, pass, sweepRun } from '../../core/lfs/testing.ts'
import { openDb, type DatabaseConfig } from '../../stores/db/index.ts'
import { fromChunks, type BlobStore } from '../../stores/storage/index.ts'
import { MemoryBlobStore } from '../../stores/storage/testing/memory.ts'
import { postgresUrl, releasePostgresDatabase, takePostgresDatabase } from '../../testing/postgres.ts'
import { eachDatabase, givenUser, testConfig } from '../../testing.ts'
import { compact } from '../../core/git/upkeep/compact.ts'
import { orphanPacks } from '../../core/git/index.ts'
import { givenLink, givenObject, givenRepo } from '../uploads/testing.ts'
import { add, givenCommit } from '../content/testing.ts'
import { backup } from './backup.ts'
import { findBackup, listBackups } from './find.ts'
import { layout } from './layout.ts'
import { restore } from './restore.ts'
import { unfinishedRestore } from './unfinished.ts'
import { verifyBackup } from './verify.ts'

const report = () => undefined
const broken = { type: 'before', kind: 'transient' } as const

/** A row as text, whatever type an engine has for its values; but for the mark that counts changes of its own database. */
const factsOf = (row: object) =>
  Object.entries<unknown>({ ...row, changed: 0 })
    .map(
      ([name, value]) =>
        `${name}=${value instanceof Date ? value.getTime() : String(Number.isNaN(Number(value)) ? value : Number(value))}`,
    )
    .join()

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

const keysOf = async (store: BlobStore, prefix = '') => {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys.toSorted()
}

eachDatabase('backup', (world) => {
  let place: MemoryBlobStore
  let dir = ''
  let n = 0
  const given = async () => {
    const owner = await givenUser(world, `owner${++n}`)
    const repo = await givenRepo(world, owner, 'tiny')
    await givenCommit(world, owner, repo, [add('a.txt', 'one')])
    const content = await givenObject(world, owner, repo)
    await givenLink(world, repo, content)
    return { owner, repo, content }
  }
  beforeEach(async () => {
    place = new MemoryBlobStore()
    dir = await mkdtemp(join(tmpdir(), 'arsenal-restore-'))
  })
  afterEach(async () => {
    await rm(dir, { recursive: true, force: true })
  })
  const make = async (isIncremental = false, from = world.blobs) =>
    backup({ ...world.ctx(), blobs: from }, place, { schema, isIncremental, report })
  const newest = async () => (await findBackup(place, undefined)) ?? expect.fail('no backup')

  test('holds every byte that rows name, and the rows', async () => {
    const { content } = await given()
    const { damaged, blobs } = await make()
    expect(damaged).toEqual([])
    const copied = (await keysOf(place, 'blobs/')).map((key) => key.slice('blobs/'.length))
    expect(copied).toHaveLength(blobs)
    expect(copied).toEqual(await keysOf(world.blobs))
    expect(copied.some((key) => key.includes(content.sha256))).toBe(true)
    expect(await all(verifyBackup(place, await newest(), { report, signal: world.ctx().signal }))).toEqual([])
    expect(await heldUntil(world.db, world.clock.now)).toBeUndefined()
  })

  test('a second one to the same place copies new bytes alone, and only when it is asked to', async () => {
    await given()
    const first = await make()
    expect(await codeOf(make())).toBe('state-conflict')
    await given()
    const second = await make(true)
    expect(second.blobs).toBeGreaterThan(first.blobs)
    expect(second.new_blobs).toBe(second.blobs - first.blobs)
    expect(await make(true)).toMatchObject({ new_blobs: 0, new_bytes: 0 })
  })

  test('holds deletions from before it looks until it ends; the hold expires when it never does', async () => {
    const { repo } = await given()
    const before = await keysOf(world.blobs)
    let isBroken = false
    const breaking = overFaulty(world.ctx(), ({ operation }) => {
      if (operation !== 'read' || isBroken) return undefined
      isBroken = true
      return broken
    }).blobs
    expect(await codeOf(make(false, breaking))).not.toBe('ok')
    expect(await heldUntil(world.db, world.clock.now)).toBeDefined()
    await compact(world.deps.git, repo.id)
    pass(world, hours(5))
    await collect(world)
    await orphanPacks.run(world.ctx(), sweepRun(world))
    for (const key of before) expect(await world.blobs.stat(key)).toBeDefined()
    pass(world, hours(2))
    expect(await heldUntil(world.db, world.clock.now)).toBeUndefined()
  })

  test('goes on where it was interrupted', async () => {
    await given()
    const present = new Set(await keysOf(world.blobs))
    // A backup may also ask for packs that were replaced and deleted meanwhile: those do not count.
    let reads: string[] = []
    let isWhole = false
    const breaking = overFaulty(world.ctx(), ({ operation, key }) => {
      if (operation !== 'read' || !present.has(key)) return undefined
      reads.push(key)
      return reads.length === 3 && !isWhole ? broken : undefined
    }).blobs
    expect(await codeOf(make(false, breaking))).not.toBe('ok')
    const [interrupted] = await listBackups(place)
    const copied = await keysOf(place, 'blobs/')
    expect(copied.length).toBeGreaterThan(0)
    reads = []
    isWhole = true
    const complete = await make(false, breaking)
    expect(complete.id).toBe(interrupted?.id)
    const added = (await keysOf(place, 'blobs/')).filter((key) => !copied.includes(key))
    expect(reads.map((key) => `blobs/${key}`).toSorted()).toEqual(added)
    expect(complete.blobs).toBe(copied.length + added.length)
  })

  test('begins again when its hold has expired', async () => {
    await given()
    const breaking = overFaulty(world.ctx(), ({ operation }) =>
      operation === 'read' ? broken : undefined,
    ).blobs
    await codeOf(make(false, breaking))
    const [interrupted] = await listBackups(place)
    await world.db.write((tx) => releaseHold(tx, interrupted?.id ?? ''))
    expect(await world.db.write((tx) => extendHold(tx, world.ctx(), interrupted?.id ?? ''))).toBe(false)
    const { id } = await make()
    expect(id).not.toBe(interrupted?.id)
    expect((await listBackups(place)).map((each) => each.id)).toEqual([id])
  })

  test('says which bytes it could not copy', async () => {
    const { content } = await given()
    const key = (await keysOf(world.blobs, 'lfs/')).find((each) => each.includes(content.sha256)) ?? ''
    const wrong = Buffer.from(content.bytes)
    wrong[3] = (wrong[3] ?? 0) ^ 1
    await world.blobs.delete(key)
    await world.blobs.put(key, fromChunks(wrong))
    const { damaged } = await make()
    expect(damaged).toMatchObject([{ key }])
    await world.blobs.delete(key)
    await world.blobs.put(key, fromChunks(content.bytes))
  })

  test('notices a byte of the backup that has changed', async () => {
    await given()
    await make()
    const [key = ''] = await keysOf(place, 'blobs/lfs/')
    const { sizeBytes } = (await place.stat(key)) ?? expect.fail('no such key')
    await place.delete(key)
    await place.put(key, fromChunks(Buffer.alloc(sizeBytes)))
    const faults = await all(verifyBackup(place, await newest(), { report, signal: world.ctx().signal }))
    expect(faults).toMatchObject([{ key }])
  })

  const targets: DatabaseConfig['driver'][] = postgresUrl ? ['sqlite', 'postgres'] : ['sqlite']
  test.each(targets)('is restored to %s, on another store, with every row', async (driver) => {
    await given()
    await make()
    const url = driver === 'postgres' ? await takePostgresDatabase(postgresUrl ?? '') : ''
    try {
      const database = { driver, dsn: driver === 'sqlite' ? join(dir, 'new.db') : url, max_open_conns: 4 }
      const config = testConfig(dir, { database })
      const blobs = new MemoryBlobStore()
      const options = { config, blobs, schema, report, signal: world.ctx().signal }
      await restore(place, await newest(), options)
      expect((await keysOf(blobs)).map(layout.blob)).toEqual(await keysOf(place, 'blobs/'))
      expect(await unfinishedRestore(dir)).toBeUndefined()
      const db = await openDb(database, schema)
      const { repos, lfs_objects, git_refs, users } = db.t
      for (const table of [repos, lfs_objects, git_refs, users]) {
        const rows = await db.q.select().from(table)
        expect(rows.length).toBeGreaterThan(0)
        expect(new Set(rows.map(factsOf))).toEqual(
          new Set((await world.db.q.select().from(table)).map(factsOf)),
        )
      }
      await db.close()
      expect(await codeOf(restore(place, await newest(), options))).toBe('state-conflict')
    } finally {
      if (url) await releasePostgresDatabase(url)
    }
  })

  test('an interrupted restore goes on, and no other begins in its place', async () => {
    await given()
    await make()
    const database = { driver: 'sqlite' as const, dsn: join(dir, 'new.db'), max_open_conns: 4 }
    const config = testConfig(dir, { database })
    const blobs = new MemoryBlobStore()
    const options = { config, blobs, schema, report, signal: world.ctx().signal }
    let reads = 0
    const failing = overFaulty({ ...world.ctx(), blobs: place }, ({ operation, key }) =>
      operation === 'read' && key.startsWith('blobs/') && ++reads === 2 ? broken : undefined,
    ).blobs
    expect(await codeOf(restore(failing, await newest(), options))).not.toBe('ok')
    const first = await newest()
    expect(await unfinishedRestore(dir)).toBe(first.id)
    pass(world, 1000)
    const other = await make(true)
    expect(await codeOf(restore(place, await newest(), options))).toBe('state-conflict')
    expect(other.id).not.toBe(first.id)
    await restore(place, first, options)
    expect(await unfinishedRestore(dir)).toBeUndefined()
  })

  test('a damaged backup is refused', async () => {
    await given()
    await make()
    const { id } = await newest()
    const key = layout.table(id, 'repos')
    await place.delete(key)
    await place.put(key, fromChunks(Buffer.from('nothing')))
    const config = testConfig(dir, { database: { driver: 'sqlite', dsn: join(dir, 'new.db') } })
    const options = { config, blobs: new MemoryBlobStore(), schema, report, signal: world.ctx().signal }
    expect(await codeOf(restore(place, await newest(), options))).toBe('state-conflict')
  })
})
