import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { eachDatabase } from '../../testing.ts'
import { defineJob } from './index.ts'
import { fireSchedules, nextRun, settleSchedules } from './schedules.ts'

test('a schedule follows the wall clock of its time zone', () => {
  const winter = new Date('2026-03-28T12:00:00Z')
  expect(nextRun('0 3 * * *', 'UTC', winter).toISOString()).toBe('2026-03-29T03:00:00.000Z')
  // Berlin leaves winter time in that night.
  expect(nextRun('0 3 * * *', 'Europe/Berlin', winter).toISOString()).toBe('2026-03-29T01:00:00.000Z')
})

eachDatabase('schedules', (world) => {
  const kind = defineJob({
    kind: 'gc',
    input: z.strictObject({}),
    maxAttempts: 1,
    title: () => 'Collect garbage',
    run: async () => ({}),
  })
  const schedule = { kind, input: {}, cron: '0 3 * * *' }
  const queued = () => world.db.q.$count(world.db.t.jobs, eq(world.db.t.jobs.status, 'queued'))

  test('a due time queues one job, however many workers see it and however many times were missed', async () => {
    await settleSchedules(world.deps, [schedule], world.clock.now)
    await fireSchedules(world.deps, [schedule], world.clock.now)
    expect(await queued()).toBe(0)
    const fourDaysLater = new Date('2026-03-05T12:00:00Z')
    await Promise.all([1, 2, 3].map(() => fireSchedules(world.deps, [schedule], fourDaysLater)))
    expect(await queued()).toBe(1)
    const { job_schedules } = world.db.t
    const [row] = await world.db.q.select().from(job_schedules)
    expect(row?.next_at.toISOString()).toBe('2026-03-06T03:00:00.000Z')
  })

  test('a time that was missed while no worker ran counts after the start, unless the expression has changed', async () => {
    const nextAt = async () => (await world.db.q.select().from(world.db.t.job_schedules))[0]?.next_at
    const start = (cron: string, at: string) =>
      settleSchedules(world.deps, [{ ...schedule, cron }], new Date(at))
    await start('0 3 * * *', '2026-03-10T12:00:00Z')
    const missed = await nextAt()
    await start('0 3 * * *', '2026-03-12T12:00:00Z')
    expect(await nextAt()).toEqual(missed)
    await start('0 4 * * *', '2026-03-12T12:00:00Z')
    expect(await nextAt()).toEqual(new Date('2026-03-13T04:00:00Z'))
  })

  test('an emptied expression switches it off', async () => {
    await settleSchedules(world.deps, [{ ...schedule, cron: '' }], world.clock.now)
    expect(await world.db.q.$count(world.db.t.job_schedules)).toBe(0)
  })
})
