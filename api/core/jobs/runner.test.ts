import { eq } from 'drizzle-orm'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Deps } from '../ctx.ts'
import { pass } from '../lfs/testing.ts'
import { eachDatabase } from '../../testing.ts'
import { watchedDb } from '../../testing/watched-db.ts'
import { defineJob, enqueue, JobRunner, type JobKind, type RunnerOptions } from './index.ts'
import { databaseClock, type JobRow } from './queries.ts'
import { claimed, jobRow } from './testing.ts'
import { wake } from './wake.ts'

type Kind = JobKind<Record<string, never>>

eachDatabase('a runner', (world) => {
  let made = 0
  const kindOf = (run: Kind['run'], maxAttempts = 3): Kind =>
    defineJob({
      kind: `test.run-${++made}`,
      input: z.strictObject({}),
      maxAttempts,
      title: () => 'A test',
      run,
    })
  const add = (kind: Kind) => world.db.write((tx) => enqueue(tx, world.ctx(), kind, {}))
  const read = (id: string) => jobRow(world.db, id)
  const reach = (id: string, status: JobRow['status']) =>
    vi.waitFor(async () => expect((await read(id)).status).toBe(status), { timeout: 30_000, interval: 5 })
  const untilStopped = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve())
    })
  async function started(options: RunnerOptions, deps: Deps = world.deps) {
    const runner = new JobRunner(deps, { clock: async () => world.clock.now, pollMs: 20, ...options })
    await runner.start()
    return runner
  }

  test('looks at the queue once for each wake-up, and no oftener until its next poll', async () => {
    let looks = 0
    const clock = async () => {
      looks++
      return world.clock.now
    }
    // Once for its schedules, and once for the queue.
    const runner = await started({ kinds: [], clock, pollMs: 3_600_000 })
    await vi.waitFor(() => expect(looks).toBe(2))
    wake(world.db)
    await vi.waitFor(() => expect(looks).toBe(3))
    // What wakes it during a turn is not lost.
    wake(world.db)
    wake(world.db)
    await vi.waitFor(() => expect(looks).toBeGreaterThanOrEqual(4))
    await pause(100)
    await runner.stop(0)
    expect(looks).toBeLessThanOrEqual(5)
  })

  test('hears of a job when its transaction commits, however long that is open', async () => {
    const kind = kindOf(async () => undefined)
    const runner = await started({ kinds: [kind], pollMs: 3_600_000 })
    const { id } = await world.db.write(async (tx) => {
      const job = await enqueue(tx, world.ctx(), kind, {})
      await pause(100)
      return job
    })
    await reach(id, 'succeeded')
    await runner.stop(0)
  })

  test('that stops waits for what ends within the grace, and keeps what it did', async () => {
    const kind = kindOf(async (_ctx, _input, { signal }) => {
      await untilStopped(signal)
      await pause(30)
      return { by: 'the last moment' }
    })
    const { id } = await add(kind)
    const runner = await started({ kinds: [kind] })
    await reach(id, 'running')
    await runner.stop(5000)
    expect(await read(id)).toMatchObject({ status: 'succeeded', result: { by: 'the last moment' } })
  })

  test('counts the times of new schedules from its start', async () => {
    const kind = kindOf(async () => ({}))
    const runner = await started({ kinds: [kind], schedules: [{ kind, input: {}, cron: '0 3 * * *' }] })
    await runner.stop(0)
    const { job_schedules: s } = world.db.t
    const [row] = await world.db.q.select().from(s).where(eq(s.kind, kind.kind))
    const wait = (row?.next_at.getTime() ?? 0) - world.clock.now.getTime()
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(24 * 3_600_000)
  })

  test('tells of a job that ends because its worker is gone', async () => {
    const heard: [string, JobRow['status']][] = []
    const ended = async (_tx: unknown, _deps: unknown, { id, status }: JobRow) =>
      void heard.push([id, status])
    const kind = kindOf(async () => ({}), 1)
    const { id } = await add(kind)
    await claimed(world.deps, kind)
    pass(world, 60_001)
    const runner = await started({ kinds: [], ended })
    await reach(id, 'failed')
    await runner.stop(0)
    expect(heard).toEqual([[id, 'failed']])
  })

  test('tells of a job that it takes from a run which does not obey a cancel', async () => {
    const heard: [string, JobRow['status']][] = []
    const ended = async (_tx: unknown, _deps: unknown, { id, status }: JobRow) =>
      void heard.push([id, status])
    let release = () => undefined as void
    const kind = kindOf(() => new Promise((resolve) => (release = () => resolve({}))))
    const { id } = await add(kind)
    const runner = await started({ kinds: [kind], ended, cancelGraceMs: 10 })
    await reach(id, 'running')
    const { jobs } = world.db.t
    await world.db.write(({ q }) => q.update(jobs).set({ cancel_requested: true }).where(eq(jobs.id, id)))
    await reach(id, 'cancelled')
    release()
    await runner.stop(1000)
    expect(heard).toEqual([[id, 'cancelled']])
  })

  test('renews a lease three times in its length, and again when that failed', async () => {
    const { jobs: config } = world.deps.config
    const kind = kindOf(async (_ctx, _input, { signal }) => {
      await untilStopped(signal)
      throw signal.reason
    })
    let renewals = 0
    let isBroken = false
    const db = watchedDb(world.db, async (step, act) => {
      if (step.kind === 'statement' && step.sql.startsWith('update "jobs" set "lease_until"')) {
        renewals++
        if (isBroken) throw new Error('the database is away')
      }
      return act()
    })
    const lease = config.lease
    config.lease = 900
    try {
      const { id } = await add(kind)
      const runner = await started({ kinds: [kind], pollMs: 5 }, { ...world.deps, db })
      await vi.waitFor(() => expect(renewals).toBe(1), { interval: 2, timeout: 30_000 })
      await pause(30)
      expect(renewals).toBe(1)
      isBroken = true
      await vi.waitFor(() => expect(renewals).toBe(2), { interval: 2, timeout: 30_000 })
      isBroken = false
      pass(world, 100)
      const lease_until = new Date(world.clock.now.getTime() + config.lease)
      await vi.waitFor(async () => expect(await read(id)).toMatchObject({ attempt: 1, lease_until }), {
        timeout: 30_000,
      })
      await runner.stop(1000)
    } finally {
      config.lease = lease
    }
  })
})

eachDatabase('the clock of the queue', (world) => {
  test('is that of the database which all workers share, else that of this process', async () => {
    const now = await databaseClock(world.db, () => world.clock.now)(world.db.q)
    if (world.engine === 'sqlite') expect(now).toEqual(world.clock.now)
    else expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(60_000)
  })
})
