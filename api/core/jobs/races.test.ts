import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Deps } from '../ctx.ts'
import { pass } from '../lfs/testing.ts'
import { Problem } from '../../platform/problems/index.ts'
import { after, before, eachDatabase, givenUser, hold } from '../../testing.ts'
import { cancelJob } from './cancel.ts'
import { Execution } from './execution.ts'
import { defineJob, enqueue, JobRunner, type JobKind } from './index.ts'
import { claimOne, setHeld, type JobRow } from './queries.ts'

const leaseMs = 60_000
const none = z.strictObject({})
type Kind = JobKind<Record<string, never>>

eachDatabase('a job between two looks', (world) => {
  let made = 0
  const queueTime = async () => world.clock.now
  const kindOf = (run: Kind['run']) =>
    defineJob({ kind: `test.race-${++made}`, input: none, maxAttempts: 3, title: () => 'A test', run })

  async function claim(kind: Kind): Promise<JobRow> {
    const { engine } = world.db
    const wanted = { engine, kinds: [kind], worker: 'w', now: world.clock.now, leaseMs }
    return (await world.db.write((tx) => claimOne(tx, wanted))) ?? expect.fail('nothing to claim')
  }
  async function begun(kind: Kind) {
    const ctx = world.ctx(await givenUser(world, `user${made}`))
    await world.db.write((tx) => enqueue(tx, ctx, kind, {}))
    return { ctx, job: await claim(kind) }
  }
  async function read(id: string): Promise<JobRow> {
    const { jobs } = world.db.t
    const [row] = await world.db.q.select().from(jobs).where(eq(jobs.id, id))
    return row ?? expect.fail('no such job')
  }
  const run = (kind: Kind, job: JobRow) => (deps: Deps) => new Execution(deps, kind, job, queueTime).run()

  /** One look of a worker at the queue, which does no job. */
  async function lookOnce(deps: Deps): Promise<void> {
    const runner = new JobRunner(deps, { kinds: [], clock: queueTime })
    await runner.start()
    await runner.stop(0)
  }
  const afterLapsed = after(/from "jobs" where .*"lease_until" </)

  test.each(['changes nothing', 'does not end the job'])(
    'an attempt that was frozen while another began %s',
    async (what) => {
      const kind = kindOf(async (_ctx, _input, job) => {
        if (what === 'changes nothing')
          await job.write(({ q, t }) =>
            q.insert(t.blob_deletions).values({ key: job.id, at: world.clock.now }),
          )
        return { by: 'frozen' }
      })
      const { job } = await begun(kind)
      const frozen = await hold(world.deps, before('write'), run(kind, job))
      pass(world, leaseMs + 1)
      await lookOnce(world.deps)
      expect(await claim(kind)).toMatchObject({ id: job.id, attempt: 2 })
      await frozen.resume()
      expect(await read(job.id)).toMatchObject({ status: 'running', attempt: 2, result: null })
      const { blob_deletions: d } = world.db.t
      expect(await world.db.q.$count(d, eq(d.key, job.id))).toBe(0)
    },
  )

  test('a lease that is renewed after it was seen lapsed keeps the job with its worker', async () => {
    const { job } = await begun(kindOf(async () => ({})))
    pass(world, leaseMs + 1)
    const look = await hold(world.deps, afterLapsed, lookOnce)
    const lease_until = new Date(world.clock.now.getTime() + leaseMs)
    expect(await world.db.write((tx) => setHeld(tx, job, { lease_until }))).toBe(true)
    await look.resume()
    expect(await read(job.id)).toMatchObject({ status: 'running', attempt: 1, lease_until })
  })

  test('a cancel that comes while the run fails for a passing reason is not forgotten by another attempt', async () => {
    const kind = kindOf(async () => Promise.reject(new Problem('store-unavailable')))
    const { ctx, job } = await begun(kind)
    const failing = await hold(world.deps, before('write'), run(kind, job))
    expect(await cancelJob(ctx, job.id)).toMatchObject({ status: 'running' })
    await failing.resume()
    expect(await read(job.id)).toMatchObject({ status: 'cancelled', active_key: null, attempt: 1 })
  })

  test('a cancel of a job whose worker died ends it instead of another attempt', async () => {
    const { ctx, job } = await begun(kindOf(async () => ({})))
    await cancelJob(ctx, job.id)
    pass(world, leaseMs + 1)
    await lookOnce(world.deps)
    expect(await read(job.id)).toMatchObject({ status: 'cancelled', worker: null, lease_until: null })
  })

  test('also one that comes after its lease was seen lapsed', async () => {
    const { ctx, job } = await begun(kindOf(async () => ({})))
    pass(world, leaseMs + 1)
    const look = await hold(world.deps, afterLapsed, lookOnce)
    await cancelJob(ctx, job.id)
    await look.resume()
    expect(await read(job.id)).toMatchObject({ status: 'cancelled', worker: null, lease_until: null })
  })

  if (world.engine === 'postgres')
    test('a cancel that meets a claim changes nothing, and says so', async () => {
      const kind = kindOf(async () => ({}))
      const ctx = world.ctx(await givenUser(world, `user${made}`))
      const { id } = await world.db.write((tx) => enqueue(tx, ctx, kind, {}))
      const cancel = await hold(ctx, after(/from "jobs"/), (held) => cancelJob(held, id))
      await claim(kind)
      await expect(cancel.resume()).rejects.toMatchObject({ code: 'state-conflict' })
      expect(await read(id)).toMatchObject({ status: 'running', attempt: 1, cancel_requested: false })
      expect(await cancelJob(ctx, id)).toMatchObject({ status: 'running' })
    })
})
