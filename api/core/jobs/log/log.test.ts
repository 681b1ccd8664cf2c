import { asc, eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { pass, sweepRun } from '../../lfs/testing.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { cancelJob } from '../cancel.ts'
import { cancelJobsOf } from '../cancel-of.ts'
import { finishedJobs } from '../finished-jobs.ts'
import { defineJob, enqueue, JobRunner, type EnqueueOptions, type JobKind } from '../index.ts'
import { retryJob } from '../retry.ts'
import { Execution } from '../execution.ts'
import { claimed, jobRow, runJobs } from '../testing.ts'
import type { LogLine } from './lines.ts'

type Kind = JobKind<Record<string, never>>

eachDatabase('the log of a job', (world) => {
  let made = 0
  const kindOf = (run: Kind['run'], maxAttempts = 3): Kind =>
    defineJob({
      kind: `test.log-${++made}`,
      input: z.strictObject({}),
      maxAttempts,
      title: () => 'A test',
      run,
    })
  const add = (kind: Kind, options: EnqueueOptions = {}) =>
    world.db.write((tx) => enqueue(tx, world.ctx(), kind, {}, options))
  async function linesOf(id: string): Promise<LogLine[]> {
    const { job_log: l } = world.db.t
    const rows = await world.db.q.select().from(l).where(eq(l.job_id, id)).orderBy(asc(l.number))
    return rows.map(({ number, attempt, at, text }) => ({ number, attempt, at, text }))
  }
  const textsOf = async (id: string) => (await linesOf(id)).map(({ attempt, text }) => `${attempt} ${text}`)

  test('has what the run says between its beginning and its end, numbered over all attempts', async () => {
    const kind = kindOf(async (_ctx, _input, job) => {
      job.log(`try ${job.attempt}`)
      pass(world, 2500)
      if (job.attempt === 1) throw new Problem('store-unavailable', { detail: 'The store is away.' })
      job.log('two lines\nof a path')
      return {}
    })
    const { id } = await add(kind)
    const begun = world.clock.now
    await runJobs(world.deps, [kind])
    pass(world, 5000)
    await runJobs(world.deps, [kind])
    expect(await textsOf(id)).toEqual([
      '1 Attempt 1 of 3 began on worker test.',
      '1 try 1',
      '1 Attempt 1 failed after 2.5 s (store-unavailable): The store is away.',
      '1 Next attempt in 5 s.',
      '2 Attempt 2 of 3 began on worker test.',
      '2 try 2',
      '2 two lines of a path',
      '2 Succeeded after 2.5 s.',
    ])
    const lines = await linesOf(id)
    expect(lines.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(lines[0]?.at).toEqual(begun)
    expect((await jobRow(world.db, id)).log_lines).toBe(8)
  })

  test('keeps what was said before a failure, and of an error that is no Problem nothing', async () => {
    const kind = kindOf(async (_ctx, _input, job) => {
      job.log('before')
      throw new Error('/secret/path')
    }, 1)
    const { id } = await add(kind)
    await runJobs(world.deps, [kind])
    const texts = await textsOf(id)
    expect(texts[1]).toBe('1 before')
    expect(texts[2]).toMatch(/^1 Failed after 0 s \(internal\): /)
    expect(texts.join()).not.toContain('secret')
  })

  test('is written while the job runs, many lines by one transaction', async () => {
    let end = () => undefined as void
    const kind = kindOf(async (_ctx, _input, job) => {
      for (let i = 1; i <= 50; i++) job.log(`line ${i}`)
      await new Promise<void>((resolve) => (end = resolve))
      return {}
    })
    const { id } = await add(kind)
    let writes = 0
    const db = { ...world.db, write: (change) => (writes++, world.db.write(change)) } as typeof world.db
    const job = await claimed(world.deps, kind)
    if (!job) throw new Error('nothing to claim')
    const running = new Execution({ ...world.deps, db }, kind, job, async () => world.clock.now).run()
    await vi.waitFor(async () => expect(await linesOf(id)).toHaveLength(51), { timeout: 10_000 })
    expect(writes).toBe(1)
    expect(await jobRow(world.db, id)).toMatchObject({ status: 'running', log_lines: 51 })
    end()
    await running
    expect((await textsOf(id)).at(-1)).toBe('1 Succeeded after 0 s.')
    expect(writes).toBe(2)
  })

  test('keeps the first 100 lines and the newest 900, of 500 characters each', async () => {
    const kind = kindOf(async (_ctx, _input, job) => {
      for (let i = 2; i <= 1500; i++) job.log(`${i} ${'ä\0😀'.repeat(200)}`)
      return {}
    })
    const { id } = await add(kind)
    await runJobs(world.deps, [kind])
    const lines = await linesOf(id)
    expect(lines).toHaveLength(1000)
    expect([0, 99, 100, 999].map((i) => lines[i]?.number)).toEqual([1, 100, 602, 1501])
    expect(lines.slice(1, -1).every(({ number, text }) => text.startsWith(`${number} ä 😀`))).toBe(true)
    expect(Math.max(...lines.map(({ text }) => text.length))).toBeLessThanOrEqual(500)
    expect(lines.at(-1)?.text).toMatch(/^Succeeded/)

    // Also over several attempts.
    await world.db.write(({ q, t }) => q.update(t.jobs).set({ status: 'queued' }).where(eq(t.jobs.id, id)))
    const brief: Kind = { ...kind, run: async () => ({}) }
    await runJobs(world.deps, [brief])
    const later = await linesOf(id)
    expect(later).toHaveLength(1000)
    expect([99, 100, 999].map((i) => later[i]?.number)).toEqual([100, 604, 1503])
  })

  test('says of a job that it was cancelled while it waited, and that it was queued again', async () => {
    const kind = kindOf(async () => ({}))
    const user = await givenUser(world, 'ada')
    const { id } = await add(kind, { createdBy: user.id })
    const ctx = world.ctx(user)
    await cancelJob(ctx, id)
    await retryJob(ctx, [kind], id)
    await world.db.write((tx) => cancelJobsOf(tx, world.deps, { userId: user.id }))
    expect(await textsOf(id)).toEqual([
      '0 Cancelled while it waited.',
      '0 Queued again by a person.',
      '0 Cancelled while it waited.',
    ])
  })

  test('says that a run was cancelled, and keeps what it had said', async () => {
    const kind = kindOf(async (_ctx, _input, job) => {
      job.log('at work')
      await new Promise((resolve) => job.signal.addEventListener('abort', resolve))
      throw job.signal.reason
    })
    const user = await givenUser(world, 'bob')
    const { id } = await add(kind, { createdBy: user.id })
    const runner = new JobRunner(world.deps, {
      kinds: [kind],
      clock: async () => world.clock.now,
      pollMs: 20,
    })
    await runner.start()
    await vi.waitFor(async () => expect((await jobRow(world.db, id)).status).toBe('running'))
    await cancelJob(world.ctx(user), id)
    await vi.waitFor(async () => expect((await jobRow(world.db, id)).status).toBe('cancelled'), {
      timeout: 10_000,
    })
    await runner.stop(1000)
    expect((await textsOf(id)).slice(1)).toEqual(['1 at work', '1 Cancelled after 0 s.'])
  })

  test('says that the server stopped, also of a run that does not obey', async () => {
    let end = () => undefined as void
    const obeys = kindOf(async (_ctx, _input, job) => {
      await new Promise((resolve) => job.signal.addEventListener('abort', resolve))
      throw job.signal.reason
    })
    const deaf = kindOf(async (_ctx, _input, job) => {
      job.log('deaf')
      await new Promise<void>((resolve) => (end = resolve))
      job.log('too late')
      return {}
    })
    const ids = [(await add(obeys)).id, (await add(deaf)).id]
    const runner = new JobRunner(world.deps, {
      kinds: [obeys, deaf],
      clock: async () => world.clock.now,
      pollMs: 20,
    })
    await runner.start()
    for (const id of ids)
      await vi.waitFor(async () => expect((await jobRow(world.db, id)).status).toBe('running'))
    await runner.stop(100)
    end()
    const [first, second] = [await textsOf(ids[0] ?? ''), await textsOf(ids[1] ?? '')]
    expect(first.slice(1)).toEqual(['1 The server is stopping.', '1 Back in the queue.'])
    expect(second.slice(1)).toEqual(['1 deaf', '1 The server is stopping.', '1 Back in the queue.'])
    await world.db.write(({ q, t }) => q.delete(t.jobs))
  })

  test('says that a worker fell silent, and takes nothing more from it', async () => {
    let end = () => undefined as void
    const kind = kindOf(async (_ctx, _input, job) => {
      await new Promise<void>((resolve) => (end = resolve))
      job.log('too late')
      return {}
    }, 1)
    const { id } = await add(kind)
    const job = await claimed(world.deps, kind)
    if (!job) throw new Error('nothing to claim')
    const frozen = new Execution(world.deps, kind, job, async () => world.clock.now).run()
    pass(world, 60_001)
    const runner = new JobRunner(world.deps, { kinds: [], clock: async () => world.clock.now, pollMs: 20 })
    await runner.start()
    await vi.waitFor(async () => expect((await jobRow(world.db, id)).status).toBe('failed'))
    await runner.stop(0)
    end()
    await frozen
    expect(await textsOf(id)).toEqual([
      '1 The worker fell silent and lost the job.',
      '1 Failed after 60 s (temporarily-unavailable): Its worker stopped before it was done.',
    ])
  })

  test('goes with its job after 30 days, however long it is', async () => {
    const kind = kindOf(async (_ctx, _input, job) => {
      for (let i = 0; i < 700; i++) job.log(`line ${i}`)
      return {}
    })
    const ids = [(await add(kind)).id, (await add(kind)).id]
    await runJobs(world.deps, [kind])
    pass(world, 30 * 24 * 3_600_000)
    const later = await add(kind)
    await runJobs(world.deps, [kind])
    pass(world, 1)
    await finishedJobs.run(world.ctx(), sweepRun(world, true))
    expect(await linesOf(ids[0] ?? '')).toHaveLength(702)
    await finishedJobs.run(world.ctx(), sweepRun(world))
    for (const id of ids) expect(await linesOf(id)).toEqual([])
    expect(await linesOf(later.id)).toHaveLength(702)
  })
})
