import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Git } from '../../../core/git/index.ts'
import { storedKeys } from '../../../core/lfs/testing.ts'
import { collect, fromChunks } from '../../../stores/storage/index.ts'
import { dbWith } from '../../../testing/db-with.ts'
import { before, hold } from '../../../testing/interleave.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { openFileAt, openRevision } from '../../content/index.ts'
import { redirectFree, repoCheck, requireRepo } from '../../repos/index.ts'
import { givenHub, siteOf } from '../testing/site.ts'
import { held } from '../transfer/bandwidth.ts'
import { claimForReader, releaseTransfer } from '../transfer/rows.ts'
import { pullThroughOf } from './pull-through.ts'

const MiB = 2 ** 20

eachDatabase('processes that pull through', (world) => {
  const hub = givenHub(world)
  let person: UserActor
  const site = siteOf(world, hub)
  let processes: Ctx[] = []
  beforeAll(async () => {
    person = await givenUser(world, 'reader')
    processes = [0, 1, 2].map(() => {
      const ctx = site.ctx(person, { pull_through: { enabled: true, allow: ['*'], min_role: 'user' } })
      // Nothing in memory is shared: caches, transfers under way, shares of the bandwidth.
      const db = dbWith(ctx.db, {})
      const git = new Git({ ...ctx.git.deps, db })
      return { ...ctx, db, git }
    })
  })
  /** A request to one of the processes. */
  const request = (n: number): Ctx => {
    const ctx = processes[n] ?? expect.fail('no such process')
    return { ...ctx, pullThrough: pullThroughOf(ctx, () => {}) }
  }
  const repoOf = (n: number, name: string) =>
    requireRepo(request(n), { type: 'model', ns: 'cold', name }, 'repo.read')
  const read = async (n: number, name: string, offset = 0): Promise<Buffer> => {
    const ctx = request(n)
    const repo = await repoOf(n, name)
    const file = await openFileAt(ctx, repo, await openRevision(ctx, repo.id, 'main'), 'a.bin')
    return collect(await file.open({ offset, length: file.sizeBytes - offset }), 2 ** 30)
  }

  test('one of them fetches a repo that all ask for', async () => {
    const head = await hub.commit('cold/one', { 'README.md': '# Model\n' })
    const before = hub.asked.length
    const repos = await Promise.all([0, 1, 2, 0, 1, 2].map((n) => repoOf(n, 'one')))
    expect(new Set(repos.map(({ id }) => id)).size).toBe(1)
    expect(repos[0]).toMatchObject({ headCommit: head })
    const asked = hub.asked.slice(before)
    expect(asked.filter(({ url }) => url.includes('/api/'))).toHaveLength(1)
    expect(asked.filter(({ url }) => url.includes('info/refs'))).toHaveLength(1)
  })

  test('one that looked before another brought the repo takes that one, under its only address', async () => {
    await hub.commit('cold/late', { 'README.md': '# Model\n' })
    const address = { type: 'model', ns: 'cold', name: 'late' } as const
    const late = await hold(processes[0] ?? expect.fail(), before('write'), (ctx) =>
      requireRepo({ ...ctx, pullThrough: pullThroughOf(ctx, () => {}) }, address, 'repo.read'),
    )
    const { id } = await repoOf(1, 'late')
    const asked = hub.asked.length
    expect(await late.resume()).toMatchObject({ id })
    expect(hub.asked.length).toBe(asked)
    await world.db.write((tx) => redirectFree(tx, address, id, world.clock.now))
    for await (const finding of repoCheck.run(world.deps, { deep: false, repair: false, repoId: id }))
      expect.fail(finding.message)
  })

  test('one of them fetches a file that all read, and the others send its parts as they come', async () => {
    const bytes = randomBytes(40 * MiB)
    await hub.commit('cold/file', { 'README.md': '# Model\n' }, { large: { 'a.bin': bytes } })
    await repoOf(0, 'file')
    const before = hub.cdnAsked.length
    const offsets: [number, number][] = [
      [0, 0],
      [1, 0],
      [2, 5 * MiB],
      [0, 9 * MiB],
      [1, 1],
      [2, 0],
    ]
    const got = await Promise.all(offsets.map(([n, offset]) => read(n, 'file', offset)))
    for (const [i, [n, offset]] of offsets.entries())
      expect(got[i]?.equals(bytes.subarray(offset)), `${n} from ${offset}`).toBe(true)
    const whole = hub.cdnAsked.slice(before).filter(({ headers }) => headers.range === undefined)
    expect(whole).toHaveLength(1)
    while ((await storedKeys(world, 'transfers/')).length > 0) await pause(20)
    const later = hub.cdnAsked.length
    for (const n of [0, 1, 2]) expect((await read(n, 'file')).equals(bytes)).toBe(true)
    expect(hub.cdnAsked.length).toBe(later)
  })

  test('the bandwidth is shared by those that transfer, and again within 10 s when one of them has ended', async () => {
    await hub.commit('cold/shares', { 'README.md': '# Model\n' }, { large: { 'a.bin': randomBytes(MiB) } })
    const { id: repoId } = await repoOf(0, 'shares')
    const until = new Date(world.clock.now.getTime() + 60_000)
    const claims = await Promise.all(
      processes.slice(0, 2).map((ctx, n) => {
        const wanted = { repoId, sha256: String(n).repeat(64), sizeBytes: 1000 }
        return claimForReader(ctx, wanted, until)
      }),
    )
    let now = 1_000_000
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    try {
      const [first = expect.fail('no process')] = processes
      const ctx = {
        ...first,
        config: { ...first.config, pull: { ...first.config.pull, bandwidth_limit: 1e6 } },
      }
      /** Whether so many bytes may pass at once: what has to wait is ended by its signal. */
      const passes = async (bytes: number): Promise<boolean> => {
        const chunks = held(ctx, fromChunks(Buffer.alloc(bytes)), AbortSignal.abort())
        return collect(chunks, 2 ** 30).then(
          () => true,
          () => false,
        )
      }
      // What may be taken ahead of time is that of one second: half of the limit, for one of two.
      expect(await passes(500_000)).toBe(true)
      expect(await passes(1)).toBe(false)
      for (const claim of claims.slice(1)) if (claim !== 'busy') await releaseTransfer(ctx, claim)
      now += 10_000
      expect(await passes(1_000_000)).toBe(true)
      expect(await passes(1)).toBe(false)
      // And when another one comes.
      const wanted = { repoId, sha256: '1'.repeat(64), sizeBytes: 1000 }
      await claimForReader(processes[1] ?? expect.fail('no process'), wanted, until)
      now += 10_000
      expect(await passes(500_001)).toBe(false)
    } finally {
      clock.mockRestore()
    }
  })
})
