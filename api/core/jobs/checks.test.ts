import { expect, test } from 'vitest'
import { z } from 'zod'
import { eachDatabase, type World } from '../../testing.ts'
import { jobCheck } from './checks.ts'
import { defineJob, enqueue } from './index.ts'

const kind = defineJob({
  kind: 'test.idle',
  input: z.strictObject({}),
  maxAttempts: 1,
  title: () => 'Idle',
  run: async () => undefined,
})

const found = async (world: World) => {
  const checks: string[] = []
  for await (const { check } of jobCheck.run(world.deps, { deep: false, repair: false })) checks.push(check)
  return checks
}

eachDatabase('job check', (world) => {
  test('finds a job that no worker has taken for two days', async () => {
    await world.db.write((tx) => enqueue(tx, world.ctx(), kind, {}))
    expect(await found(world)).toEqual([])
    world.clock.now = new Date(world.clock.now.getTime() + 49 * 3_600_000)
    expect(await found(world)).toEqual(['jobs.deadline'])
  })
})
