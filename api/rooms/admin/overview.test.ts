import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { newId, type Tables } from '../../stores/db/index.ts'
import { givenContent } from '../../core/lfs/testing.ts'
import { deleteRepo } from '../repos/index.ts'
import { blobKeys } from '../../stores/storage/index.ts'
import { MemoryBlobStore } from '../../stores/storage/testing/memory.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../testing.ts'
import { givenLink, givenObject, givenUpload, sendPart } from '../uploads/testing.ts'
import { getOverview, type Overview } from './overview.ts'

const dayMs = 86_400_000
const [retentionDays, soonDays] = [28, 7]

eachDatabase('the overview of an instance', (world) => {
  let root: UserActor
  let ada: UserActor
  const ago = (days: number) => new Date(world.clock.now.getTime() - days * dayMs)
  /** The figures of now, whatever was counted before. */
  async function counted(): Promise<Overview> {
    world.clock.now = new Date(world.clock.now.getTime() + 60_000)
    return getOverview(world.ctx(root))
  }
  const insert = <K extends keyof Tables>(table: K, rows: Tables[K]['$inferInsert'][]) =>
    world.db.write(async ({ q, t }) => {
      for (const row of rows) await q.insert(t[table]).values(row)
    })

  beforeAll(async () => {
    root = await givenUser(world, 'root', { isAdmin: true })
    ada = await givenUser(world, 'ada')
  })

  test('an instance that holds nothing is all zeros', async () => {
    const { storage, counts, jobs } = await counted()
    expect(storage.lfs).toEqual({
      count: 0,
      bytes: 0,
      links: 0,
      logical_bytes: 0,
      saved_bytes: 0,
      unreferenced_count: 0,
      unreferenced_bytes: 0,
      corrupt_count: 0,
    })
    expect(storage.git).toEqual({ count: 0, bytes: 0, retired_count: 0, retired_bytes: 0 })
    expect(storage.uploads).toEqual({ count: 0, bytes: 0, expected_bytes: 0 })
    expect(storage.chunks).toMatchObject({ count: 0, bytes: 0, rebuilt_bytes: 0, oldest_due_at: null })
    expect(counts).toEqual({ models: 0, datasets: 0, deleted_repos: 0, users: 2, orgs: 0 })
    expect(jobs).toMatchObject({ queued: 0, failed: 0, failed_24h: 0 })
  })

  test('repos are counted by type, organisations apart from users, packs by the bytes they take', async () => {
    await givenOrg(world, 'acme', ada)
    await givenRepo(world, ada)
    await givenRepo(world, ada, { type: 'dataset' })
    await givenRepo(world, ada, { ns: 'acme' })
    const gone = await givenRepo(world, ada)
    await deleteRepo(world.ctx(ada), { type: 'model', ns: gone.ns, name: gone.name })
    const { counts, storage } = await counted()
    expect(counts).toEqual({ models: 2, datasets: 1, deleted_repos: 1, users: 2, orgs: 1 })
    let bytes = 0
    for await (const { sizeBytes } of world.blobs.list('git/')) bytes += sizeBytes
    expect(storage.git).toEqual({ count: 4, bytes, retired_count: 0, retired_bytes: 0 })
  })

  test('counts an object of several repos once, and the bytes this saves', async () => {
    const [one, two] = [await givenRepo(world, ada), await givenRepo(world, ada)]
    const shared = await givenObject(world, ada, one, givenContent(1000))
    const single = await givenObject(world, ada, one, givenContent(300))
    await givenObject(world, ada, one, givenContent(50))
    for (const [repo, content] of [
      [one, shared],
      [two, shared],
      [one, single],
    ] as const)
      await givenLink(world, repo, content)
    const { lfs } = (await counted()).storage
    expect(lfs).toMatchObject({ count: 3, bytes: 1350, links: 3, logical_bytes: 2300, saved_bytes: 1000 })
    expect(lfs).toMatchObject({ unreferenced_count: 1, unreferenced_bytes: 50 })
  })

  test('counts received and expected bytes of uploads under way', async () => {
    const repo = await givenRepo(world, ada)
    const content = givenContent(1000)
    const begun = await givenUpload(world, repo, ada, content, { part_size: 400 })
    await sendPart(world.ctx(ada), begun, content, 1)
    await sendPart(world.ctx(ada), begun, content, 2)
    await givenUpload(world, repo, ada, givenContent(20))
    await givenUpload(world, repo, ada, givenContent(7), { status: 'aborted' })
    expect((await counted()).storage.uploads).toEqual({ count: 2, bytes: 800, expected_bytes: 1020 })
  })

  test('lists chunk containers beside the objects rebuilt from them, and when they expire', async () => {
    const repo = await givenRepo(world, ada)
    const rebuilt = await givenObject(world, ada, repo, givenContent(900))
    const xorb = (n: number, used_days: number) => ({
      xorb_hash: `${n}`.repeat(64),
      key: blobKeys.xorb(`${n}`.repeat(64), newId()),
      body_size: 10 ** n,
      unpacked: 2 * 10 ** n,
      n: 1,
      created_at: ago(used_days),
      last_used_at: ago(used_days),
    })
    await insert('chunk_xorbs', [
      xorb(1, retentionDays - soonDays + 1),
      xorb(2, retentionDays - soonDays - 1),
      xorb(3, 0),
    ])
    const cut = (hash: string, sha256: string) => ({ file_hash: hash, sha256, size: 900, created_at: ago(0) })
    await insert('chunk_files', [
      cut('a', rebuilt.sha256),
      cut('b', rebuilt.sha256),
      cut('c', givenContent(9).sha256),
    ])
    await insert('chunk_pins', [
      { job_id: 'x', xorb_hash: '2'.repeat(64) },
      { job_id: 'y', xorb_hash: '2'.repeat(64) },
    ])
    const oldest = ago(retentionDays - soonDays + 1).getTime()
    expect((await counted()).storage.chunks).toEqual({
      mode: 'ingest',
      retention_seconds: (retentionDays * dayMs) / 1000,
      count: 3,
      bytes: 1110,
      unpacked_bytes: 2220,
      oldest_due_at: new Date(oldest + retentionDays * dayMs),
      due_7d_bytes: 10,
      pinned_count: 1,
      pinned_bytes: 100,
      rebuilt_count: 1,
      rebuilt_bytes: 900,
    })
  })

  test('jobs are counted by how they stand; of the failed, those of the last day apart', async () => {
    const job = (status: 'queued' | 'failed', finished_at: Date | null) => ({
      id: newId(),
      kind: 'gc',
      status,
      title: 'Free what is unused',
      input: {},
      attempt: 1,
      max_attempts: 1,
      run_after: ago(0),
      cancel_requested: false,
      progress_done: 0,
      progress_unit: 'items' as const,
      created_at: ago(3),
      finished_at,
    })
    const before = (await counted()).jobs
    await insert('jobs', [job('queued', null), job('failed', ago(2)), job('failed', ago(0.9))])
    const { jobs } = await counted()
    expect(jobs).toEqual({ ...before, queued: before.queued + 1, failed: 2, failed_24h: 1 })
  })

  test('tells keys with overdue deletions from those that wait', async () => {
    const before = (await counted()).storage.deletions
    await insert('blob_deletions', [
      { key: 'uploads/a/1.x', at: ago(1) },
      { key: 'uploads/b/1.x', at: ago(-1) },
    ])
    expect((await counted()).storage.deletions).toEqual({
      count: before.count + 2,
      due_count: before.due_count + 1,
    })
  })

  test('it names what runs: this server, its database, and the disk where there is one', async () => {
    const { server, storage } = await counted()
    expect(server).toMatchObject({ role: 'all', database: { engine: world.db.engine } })
    expect(server.database.version).toMatch(/^\d+\.\d+/)
    expect(server.database.bytes).toBeGreaterThan(4096)
    expect(server.version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(server.started_at.getTime()).toBeLessThan(world.clock.now.getTime())
    expect(storage.disk).toEqual(await new MemoryBlobStore().freeSpace())
  })

  test('answers from the last count for five seconds', async () => {
    const { at } = await counted()
    world.clock.now = new Date(at.getTime() + 4999)
    expect((await getOverview(world.ctx(root))).at).toEqual(at)
    world.clock.now = new Date(at.getTime() + 5000)
    expect((await getOverview(world.ctx(root))).at).toEqual(world.clock.now)
  })
})
