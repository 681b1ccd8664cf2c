import { and, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { UserActor } from '../../../core/access/index.ts'
import { defineJob, enqueue, type EnqueueOptions } from '../../../core/jobs/index.ts'
import { jobRow, runJobs } from '../../../core/jobs/testing.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { getQueue, retryFailedJobs } from './queue.ts'

let isBroken = true

const kindOf = (kind: string) =>
  defineJob({
    kind,
    input: z.strictObject({}),
    maxAttempts: 1,
    title: () => `Do ${kind}`,
    async run() {
      if (isBroken) throw new Problem('state-conflict', { detail: 'The tap is shut.' })
      return {}
    },
  })

const water = kindOf('test.water')
const wine = kindOf('test.wine')
const kinds = [water, wine]

eachDatabase('failed jobs', (world) => {
  let made = 0
  let root: UserActor
  beforeEach(async () => {
    isBroken = true
    root = await givenUser(world, `root${++made}`, { isAdmin: true })
    await world.db.write(({ q, t }) => q.delete(t.jobs))
  })
  const add = (kind: (typeof kinds)[number], options: EnqueueOptions = {}) =>
    world.db.write((tx) => enqueue(tx, world.ctx(root), kind, {}, options))
  async function givenFailed(kind: (typeof kinds)[number], options?: EnqueueOptions) {
    const { id } = await add(kind, options)
    await runJobs(world.deps, kinds)
    return id
  }
  const retry = (kind: string) => retryFailedJobs(world.ctx(root), kinds, kind)
  const retries = async (id: string) => {
    const { audit } = world.db.t
    return world.db.q.$count(audit, and(eq(audit.action, 'job.retry'), eq(audit.target_id, id)))
  }

  test('are counted by kind, each with the newest of them and why it failed', async () => {
    await givenFailed(water)
    await givenFailed(wine)
    const newest = await givenFailed(wine)
    await add(water)
    const { queued, kinds: failed } = await getQueue(world.ctx(root))
    expect(queued).toBe(1)
    expect(failed).toMatchObject([
      {
        kind: 'test.wine',
        count: 2,
        newest: { id: newest, title: 'Do test.wine', problem: { message: 'The tap is shut.' } },
      },
      { kind: 'test.water', count: 1 },
    ])
  })

  test('of one kind are queued again together, each with a row of the audit; a second press changes nothing', async () => {
    const ids = [await givenFailed(water), await givenFailed(water)]
    const other = await givenFailed(wine)
    expect(await retry('test.water')).toEqual({ retried: 2, skipped: 0, left: 0 })
    expect(await retry('test.water')).toEqual({ retried: 0, skipped: 0, left: 0 })
    for (const id of ids) {
      expect(await jobRow(world.db, id)).toMatchObject({ status: 'queued', problem: null, finished_at: null })
      expect(await retries(id)).toBe(1)
    }
    expect(await jobRow(world.db, other)).toMatchObject({ status: 'failed' })
    expect(await retries(other)).toBe(0)
    isBroken = false
    await runJobs(world.deps, kinds)
    for (const id of ids) expect(await jobRow(world.db, id)).toMatchObject({ status: 'succeeded' })
  })

  test('two presses at once queue each job once', async () => {
    const ids = [await givenFailed(water), await givenFailed(water), await givenFailed(water)]
    const [one, two] = await Promise.all([retry('test.water'), retry('test.water')])
    expect(one.retried + two.retried).toBe(3)
    for (const id of ids) expect(await retries(id)).toBe(1)
  })

  test('are skipped while an equal job is active', async () => {
    const failed = await givenFailed(water, { dedupKey: 'well' })
    const active = await add(water, { dedupKey: 'well' })
    expect(await retry('test.water')).toEqual({ retried: 0, skipped: 1, left: 1 })
    expect(await jobRow(world.db, failed)).toMatchObject({ status: 'failed' })
    expect(await jobRow(world.db, active.id)).toMatchObject({ status: 'queued' })
    expect(await retries(failed)).toBe(0)
  })

  test('of a kind that this server does no longer stay failed', async () => {
    await givenFailed(water)
    const gone = retryFailedJobs(world.ctx(root), [wine], 'test.water')
    expect(await gone).toEqual({ retried: 0, skipped: 1, left: 1 })
  })

  test('are for instance admins alone', async () => {
    const other = world.ctx(await givenUser(world, `other${made}`))
    await expect(getQueue(other)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(retryFailedJobs(other, kinds, 'test.water')).rejects.toMatchObject({ code: 'forbidden' })
  })
})
