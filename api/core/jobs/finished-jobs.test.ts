import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { pass, sweepRun } from '../lfs/testing.ts'
import { eachDatabase } from '../../testing.ts'
import { enqueue } from './enqueue.ts'
import { defineJob } from './kind.ts'
import { finishedJobs } from './finished-jobs.ts'

const day = 24 * 3_600_000
const noop = defineJob({
  kind: 'test.noop',
  input: z.strictObject({}),
  maxAttempts: 1,
  title: () => 'nothing',
  run: async () => undefined,
})

eachDatabase('finished jobs', (world) => {
  async function givenJob(status: 'succeeded' | 'failed' | 'cancelled' | 'queued' | 'running') {
    const { id } = await world.db.write((tx) => enqueue(tx, world.ctx(), noop, {}))
    const finished_at = status === 'queued' || status === 'running' ? null : world.clock.now
    const { jobs } = world.db.t
    await world.db.write(({ q }) => q.update(jobs).set({ status, finished_at }).where(eq(jobs.id, id)))
    return id
  }
  const ids = async () => {
    const { q, t } = world.db
    return (await q.select({ id: t.jobs.id }).from(t.jobs)).map(({ id }) => id).toSorted()
  }

  test('are kept for 30 days, unfinished ones for ever', async () => {
    for (const status of ['succeeded', 'failed', 'cancelled'] as const) await givenJob(status)
    const unfinished = [await givenJob('queued'), await givenJob('running')]
    pass(world, 30 * day)
    expect(await finishedJobs.run(world.ctx(), sweepRun(world))).toEqual({ forgotten: 0 })
    const later = await givenJob('succeeded')
    pass(world, 1)
    expect(await finishedJobs.run(world.ctx(), sweepRun(world, true))).toEqual({ forgotten: 3 })
    expect(await ids()).toHaveLength(6)
    expect(await finishedJobs.run(world.ctx(), sweepRun(world))).toEqual({ forgotten: 3 })
    expect(await ids()).toEqual([...unfinished, later].toSorted())
  })

  test('go page by page, however many there are', async () => {
    const { id } = await world.db.write((tx) => enqueue(tx, world.ctx(), noop, {}))
    const { jobs } = world.db.t
    const [row] = await world.db.q.select().from(jobs).where(eq(jobs.id, id))
    if (!row) throw new Error('no job')
    const ended = { ...row, status: 'failed' as const, finished_at: world.clock.now, active_key: null }
    for (let page = 0; page < 3; page++)
      await world.db.write(({ q }) =>
        q.insert(jobs).values(Array.from({ length: 700 }, (_, i) => ({ ...ended, id: `${page}/${i}` }))),
      )
    pass(world, 31 * day)
    expect(await finishedJobs.run(world.ctx(), sweepRun(world))).toMatchObject({ forgotten: 2101 })
  })
})
