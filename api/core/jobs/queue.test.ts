import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { Problem } from '../../platform/problems/index.ts'
import { eachDatabase } from '../../testing.ts'
import { Execution } from './execution.ts'
import { defineJob, enqueue, JobRunner, type JobKind, type RunnerOptions } from './index.ts'
import { claimOne, type JobRow } from './queries.ts'

const none = z.strictObject({})

const kindOf = (run: JobKind<Record<string, never>>['run'], kind = 'test.work', maxAttempts = 3) =>
  defineJob({ kind, input: none, maxAttempts, title: () => 'A test', run })

/** Never resolves; rejects when the attempt must stop. */
const untilStopped = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

eachDatabase('queue', (world) => {
  const queueTime = async () => world.clock.now
  const later = (ms: number) => (world.clock.now = new Date(world.clock.now.getTime() + ms))
  const add = (kind: JobKind<Record<string, never>>, options = {}) =>
    world.db.write((tx) => enqueue(tx, world.ctx(), kind, {}, options))
  const claim = (kind: JobKind<Record<string, never>>, worker = 'w') =>
    world.db.write((tx) =>
      claimOne(tx, {
        engine: world.db.engine,
        kinds: [kind],
        worker,
        now: world.clock.now,
        leaseMs: 60_000,
      }),
    )
  async function read(id: string): Promise<JobRow> {
    const { jobs } = world.db.t
    const [row] = await world.db.q.select().from(jobs).where(eq(jobs.id, id))
    if (!row) throw new Error('no such job')
    return row
  }
  const reach = (id: string, status: JobRow['status']) =>
    vi.waitFor(async () => expect((await read(id)).status).toBe(status), { timeout: 30_000, interval: 10 })
  async function running<T>(
    options: Partial<RunnerOptions> & { kinds: RunnerOptions['kinds'] },
    during: () => Promise<T>,
  ) {
    const runner = new JobRunner(world.deps, { clock: queueTime, pollMs: 20, cancelGraceMs: 50, ...options })
    await runner.start()
    try {
      return await during()
    } finally {
      await runner.stop(1000)
    }
  }

  test('40 jobs among 8 workers each run exactly once', async () => {
    const seen: string[] = []
    const kind = kindOf(async (_ctx, _input, job) => {
      seen.push(job.id)
      return {}
    }, 'test.many')
    const ids: string[] = []
    for (let i = 0; i < 40; i++) ids.push((await add(kind)).id)
    const runners = Array.from(
      { length: 2 },
      () => new JobRunner(world.deps, { kinds: [kind], clock: queueTime, pollMs: 20 }),
    )
    for (const runner of runners) await runner.start()
    for (const id of ids) await reach(id, 'succeeded')
    for (const runner of runners) await runner.stop(1000)
    expect(seen.toSorted()).toEqual(ids.toSorted())
  })

  test('a kind that may have half of the workers leaves the others to the rest of the queue', async () => {
    let busy = 0
    const slow = {
      ...kindOf(async (_ctx, _input, job) => {
        busy++
        return untilStopped(job.signal)
      }, 'test.crowd'),
      share: 0.5,
    }
    const quick = kindOf(async () => ({}), 'test.quick')
    for (let i = 0; i < 6; i++) await add(slow)
    const { id } = await add(quick)
    await running({ kinds: [slow, quick] }, () => reach(id, 'succeeded'))
    expect(busy).toBe(world.deps.config.jobs.workers / 2)
  })

  test('a kind in turns runs one job per user, and a user whose job began goes to the end of the line', async () => {
    const kind = { ...kindOf(async () => ({}), 'test.turns'), onePerUser: true }
    const names = new Map<string, string>()
    for (const [name, createdBy] of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((n) => [n, n[0]] as const)) {
      names.set((await add(kind, { createdBy })).id, name)
      later(1)
    }
    const begin = async () => names.get((await claim(kind))?.id ?? '')
    const end = async (name: string) => {
      const id = [...names].find(([, one]) => one === name)?.[0] ?? ''
      const { jobs } = world.db.t
      await world.db.write(({ q }) => q.update(jobs).set({ status: 'succeeded' }).where(eq(jobs.id, id)))
    }
    later(1)
    expect(await begin()).toBe('a1')
    later(1)
    expect(await begin()).toBe('b1')
    await end('a1')
    // A's second has waited longer than C's first, but A had a turn.
    expect(await begin()).toBe('c1')
    expect([await begin(), await begin()]).toEqual(['a2', undefined])
    await end('a2')
    await end('b1')
    later(1)
    expect([await begin(), await begin(), await begin()]).toEqual(['a3', 'b2', undefined])
  })

  test('a kind in turns without users begins as many as workers ask for', async () => {
    const kind = { ...kindOf(async () => ({}), 'test.no-user'), onePerUser: true }
    const ids = [await add(kind, { createdBy: null }), await add(kind, { createdBy: null })].map(
      ({ id }) => id,
    )
    expect([(await claim(kind))?.id, (await claim(kind))?.id]).toEqual(ids)
  })

  test('a person whose turn has not come keeps no worker busy: the runner goes on when it has', async () => {
    let busy = 0
    let most = 0
    const kind = {
      ...kindOf(async () => {
        most = Math.max(most, ++busy)
        await new Promise((done) => setTimeout(done, 20))
        busy--
        return {}
      }, 'test.alone'),
      onePerUser: true,
    }
    const ids: string[] = []
    for (let i = 0; i < 4; i++) ids.push((await add(kind, { createdBy: 'a' })).id)
    await running({ kinds: [kind] }, async () => {
      for (const id of ids) await reach(id, 'succeeded')
    })
    expect(most).toBe(1)
  })

  test('of 8 claims at once each gets another job, and the ninth gets none', async () => {
    const kind = kindOf(async () => ({}), 'test.race')
    for (let i = 0; i < 8; i++) await add(kind)
    const claimed = new Set<string>()
    while (claimed.size < 8) {
      const rows = await Promise.all(Array.from({ length: 8 }, (_, i) => claim(kind, `w${i}`)))
      for (const row of rows.filter((one) => one !== undefined)) {
        expect(claimed.has(row.id)).toBe(false)
        claimed.add(row.id)
      }
    }
    expect(await claim(kind)).toBeUndefined()
  })

  test('an attempt that lost its lease changes nothing any more', async () => {
    const kind = kindOf(async (_ctx, _input, job) => {
      later(61_000)
      await job.write(async ({ q, t }) => {
        await q.insert(t.blob_deletions).values({ key: 'stale', at: world.clock.now })
      })
      return { by: 'stale' }
    }, 'test.frozen')
    const { id } = await add(kind)
    const stale = await claim(kind, 'frozen')
    if (!stale) throw new Error('nothing claimed')
    later(61_000)
    const done = kindOf(async () => ({ by: 'fresh' }), 'test.frozen')
    await running({ kinds: [done] }, () => reach(id, 'succeeded'))
    await new Execution(world.deps, kind, stale, queueTime).run()
    expect(await read(id)).toMatchObject({ attempt: 2, result: { by: 'fresh' }, status: 'succeeded' })
    expect(await world.db.q.$count(world.db.t.blob_deletions)).toBe(0)
  })

  test('a job whose worker died runs again, and fails when no attempt is left', async () => {
    const kind = kindOf(async () => ({}), 'test.poison', 1)
    const { id } = await add(kind)
    await claim(kind, 'dead')
    later(61_000)
    await running({ kinds: [kind] }, () => reach(id, 'failed'))
    expect(await read(id)).toMatchObject({ problem: { code: 'temporarily-unavailable' }, active_key: null })
  })

  test('a lease is renewed while the run goes on', async () => {
    const kind = kindOf((_ctx, _input, job) => untilStopped(job.signal), 'test.long')
    const { id } = await add(kind)
    const lease = world.deps.config.jobs.lease
    world.deps.config.jobs.lease = 60
    try {
      await running({ kinds: [kind] }, async () => {
        await reach(id, 'running')
        for (let i = 0; i < 5; i++) {
          const { lease_until } = await read(id)
          later(50)
          await vi.waitFor(async () => expect((await read(id)).lease_until).not.toEqual(lease_until), {
            timeout: 30_000,
          })
        }
        expect((await read(id)).attempt).toBe(1)
      })
    } finally {
      world.deps.config.jobs.lease = lease
    }
    expect(await read(id)).toMatchObject({ status: 'queued', attempt: 1, max_attempts: 4, worker: null })
    await world.db.write(({ q, t }) => q.delete(t.jobs).where(eq(t.jobs.id, id)))
  })

  test('what may pass is tried again after a wait, what is refused is not', async () => {
    const busy = kindOf(async (_ctx, _input, job) => {
      if (job.attempt < 3) throw new Problem('store-unavailable')
      return {}
    }, 'test.busy')
    const refused = kindOf(async () => {
      throw new Problem('name-taken', { detail: 'Taken.' })
    }, 'test.refused')
    const first = await add(busy)
    const second = await add(refused)
    // An attempt that has begun sets the time of the next by the clock of its end.
    const waitsAfter = (attempt: number) =>
      vi.waitFor(async () => expect(await read(first.id)).toMatchObject({ status: 'queued', attempt }), {
        timeout: 30_000,
      })
    await running({ kinds: [busy, refused] }, async () => {
      await reach(second.id, 'failed')
      await waitsAfter(1)
      expect((await read(first.id)).run_after).toEqual(new Date(world.clock.now.getTime() + 5000))
      later(5000)
      await waitsAfter(2)
      later(10_000)
      await reach(first.id, 'succeeded')
    })
    expect(await read(second.id)).toMatchObject({
      attempt: 1,
      problem: { code: 'name-taken', message: 'Taken.' },
    })
    expect(await read(first.id)).toMatchObject({ attempt: 3, problem: null })
  })

  test('what is not a Problem shows nothing internal', async () => {
    const kind = kindOf(
      async () => {
        throw new Error('/secret/path')
      },
      'test.bug',
      1,
    )
    const { id } = await add(kind)
    await running({ kinds: [kind] }, () => reach(id, 'failed'))
    expect(JSON.stringify((await read(id)).problem)).not.toContain('secret')
  })

  test('progress is written at most once a second, not in the first, and at the end', async () => {
    const kind = kindOf(async (_ctx, _input, job) => {
      const seen = []
      for (let done = 1; done <= 3; done++) {
        await job.progress(done, 9)
        seen.push((await read(job.id)).progress_done)
      }
      later(1000)
      await job.progress(4, 9)
      seen.push((await read(job.id)).progress_done)
      await job.progress(9, 9)
      return { seen }
    }, 'test.progress')
    const { id } = await add(kind)
    await running({ kinds: [kind] }, () => reach(id, 'succeeded'))
    expect(await read(id)).toMatchObject({
      result: { seen: [0, 0, 0, 4] },
      progress_done: 9,
      progress_total: 9,
    })
  })
})
