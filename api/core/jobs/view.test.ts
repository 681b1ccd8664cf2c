import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '../ctx.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import type { Job } from './find.ts'
import { viewJob } from './view.ts'

eachDatabase('the progress of a job', (world) => {
  let ctx: Ctx
  beforeAll(async () => {
    ctx = world.ctx(await givenUser(world, 'ada'))
  })
  const ago = (seconds: number) => new Date(world.clock.now.getTime() - seconds * 1000)
  async function progressOf(change: Partial<Job>) {
    const job: Job = {
      id: 'job',
      kind: 'test.work',
      status: 'running',
      title: 'A test',
      input: {},
      dedup_key: null,
      active_key: null,
      repo_id: null,
      created_by: null,
      created_at: ago(20),
      started_at: ago(10),
      finished_at: null,
      run_after: ago(20),
      attempt: 1,
      max_attempts: 1,
      lease_until: null,
      worker: null,
      cancel_requested: false,
      progress_done: 0,
      progress_total: null,
      progress_unit: 'bytes',
      result: null,
      problem: null,
      repo: null,
      creator: null,
      ...change,
    } as Job
    return (await viewJob(ctx, [], job)).progress
  }

  test('tells how fast it goes and how long it will take, once there is anything to measure', async () => {
    expect(await progressOf({ progress_total: 30 })).toEqual({ done: 0, total: 30, unit: 'bytes' })
    expect(await progressOf({ progress_done: 10, progress_total: 30 })).toEqual({
      done: 10,
      total: 30,
      unit: 'bytes',
      rate: 1,
      eta_seconds: 20,
    })
    expect(await progressOf({ progress_done: 10 })).toEqual({ done: 10, unit: 'bytes', rate: 1 })
    expect(await progressOf({ progress_done: 10, started_at: world.clock.now })).toEqual({
      done: 10,
      unit: 'bytes',
    })
    const ended = { status: 'succeeded' as const, progress_done: 10, progress_total: 10, finished_at: ago(5) }
    expect(await progressOf(ended)).toEqual({ done: 10, total: 10, unit: 'bytes', rate: 2 })
  })
})
