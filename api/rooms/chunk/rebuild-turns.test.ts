import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Execution } from '../../core/jobs/execution.ts'
import { defineJob, enqueue, JobRunner } from '../../core/jobs/index.ts'
import { storedKeys } from '../../core/lfs/testing.ts'
import { FaultyBlobStore } from '../../stores/storage/testing/faulty.ts'
import { eachDatabase } from '../../testing.ts'
import { chunkRebuild } from './rebuild-job.ts'
import {
  acceptedShard,
  claimedRebuild,
  givenSender,
  isObjectPut,
  lastRebuild,
  stepsOf,
  work,
  type Sender,
} from './testing/sender.ts'

eachDatabase('the turns in which files are put together', (world) => {
  let sender: Sender
  beforeAll(async () => {
    sender = await givenSender(world)
  })
  /** As many accepted shards, each by somebody else. */
  async function givenByAll(n: number) {
    const all: Awaited<ReturnType<typeof acceptedShard>>[] = []
    while (all.length < n) all.push(await acceptedShard(await givenSender(world)))
    return all
  }

  test('however many wait, half of the workers are left to other jobs', async () => {
    await givenByAll(3)
    const job = await lastRebuild(world)
    const other = defineJob({
      kind: 'test.other',
      input: z.strictObject({}),
      maxAttempts: 1,
      title: () => 'Another',
      run: async () => ({}),
    })
    const stalling = new FaultyBlobStore(world.blobs, (io) =>
      isObjectPut(io) ? { type: 'stall' } : undefined,
    )
    await world.db.write((tx) => enqueue(tx, world.ctx(), other, {}))
    const clock = async () => world.clock.now
    const kinds = [chunkRebuild, other]
    const runner = new JobRunner({ ...world.deps, blobs: stalling }, { kinds, clock, pollMs: 20 })
    await runner.start()
    try {
      await vi.waitFor(async () => expect((await lastRebuild(world)).status).toBe('succeeded'), 30_000)
      const { jobs } = world.db.t
      const [last] = await world.db.q.select().from(jobs).where(eq(jobs.id, job.id))
      expect(last?.status).toBe('queued')
    } finally {
      stalling.release()
      await runner.stop(1000)
    }
    await work(world)
  })

  test('one person has one under way, and another begins beside it', async () => {
    const other = await givenSender(world)
    for (let i = 0; i < 3; i++) await acceptedShard(sender)
    await acceptedShard(other)
    const begun = [await claimedRebuild(world), await claimedRebuild(world)]
    expect(begun.map(({ job }) => job.created_by)).toEqual([sender.actor.id, other.actor.id])
    await expect(claimedRebuild(world)).rejects.toThrow('no job')
    for (const one of begun) await one.run()
    await work(world)
  })

  test('at most two are worked on at once', async () => {
    const { jobs } = world.db.t
    const before = await storedKeys(world, 'shards/')
    const all = await givenByAll(5)
    let begun = 0
    const stalling = new FaultyBlobStore(world.blobs, (io) => {
      if (isObjectPut(io)) begun++
      return isObjectPut(io) ? { type: 'stall' } : undefined
    })
    const ctx = { ...world.ctx(), blobs: stalling }
    const executions: Execution[] = []
    while (executions.length < all.length) executions.push(await claimedRebuild(world, ctx))
    const working = Promise.all(executions.map((one) => one.run()))
    await vi.waitFor(() => expect(begun).toBe(2), 30_000)
    await pause(100)
    expect(begun).toBe(2)
    stalling.release()
    await working
    expect(await world.db.q.$count(jobs, eq(jobs.status, 'running'))).toBe(0)
    for (const { acceptance } of all) await stepsOf(acceptance)
    expect(await storedKeys(world, 'shards/')).toEqual(before)
  })
})
