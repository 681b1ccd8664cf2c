import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { eachDatabase, givenUser } from '../../testing.ts'
import { cancelJob } from './cancel.ts'
import { getJob } from './find.ts'
import { defineJob, enqueue, JobRunner } from './index.ts'

const patient = defineJob({
  kind: 'test.patient',
  input: z.strictObject({ obeys: z.boolean() }),
  maxAttempts: 1,
  title: () => 'Patient',
  run: (_ctx, { obeys }, job) =>
    new Promise((resolve, reject) => {
      if (obeys) job.signal.addEventListener('abort', () => reject(job.signal.reason as Error))
      else job.signal.addEventListener('abort', () => setTimeout(() => resolve({ late: true }), 300))
    }),
})

eachDatabase('cancelling a job', (world) => {
  test.each([true, false])('ends one that runs, whether it obeys (%s) or not', async (obeys) => {
    const ctx = world.ctx(await givenUser(world, `ada-${obeys}`))
    const { id } = await world.db.write((tx) => enqueue(tx, ctx, patient, { obeys }))
    const clock = async () => world.clock.now
    const runner = new JobRunner(world.deps, { kinds: [patient], clock, pollMs: 20, cancelGraceMs: 50 })
    await runner.start()
    const reach = (status: string) =>
      vi.waitFor(async () => expect((await getJob(ctx, id)).status).toBe(status), { timeout: 30_000 })
    await reach('running')
    await cancelJob(ctx, id)
    await reach('cancelled')
    await runner.stop(2000)
    expect(await getJob(ctx, id)).toMatchObject({ status: 'cancelled', result: null })
    expect((await cancelJob(ctx, id)).status).toBe('cancelled')
  })

  test.each(['succeeded', 'failed'] as const)('changes nothing of one that has %s', async (status) => {
    const ctx = world.ctx(await givenUser(world, `eve-${status}`))
    const { id } = await world.db.write((tx) => enqueue(tx, ctx, patient, { obeys: true }))
    const { jobs } = world.db.t
    await world.db.write(({ q }) => q.update(jobs).set({ status }).where(eq(jobs.id, id)))
    await expect(cancelJob(ctx, id)).rejects.toMatchObject({
      code: 'state-conflict',
      detail: expect.stringContaining(status) as string,
    })
    expect(await getJob(ctx, id)).toMatchObject({ status, cancel_requested: false })
  })
})
