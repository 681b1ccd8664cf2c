import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { newId } from '../../stores/db/index.ts'
import { eachDatabase } from '../../testing.ts'
import { defineJob, enqueue } from './index.ts'
import type { JobRow } from './queries.ts'
import { untilEnded } from './until-ended.ts'

eachDatabase('a job that a caller waits for', (world) => {
  const kind = defineJob({
    kind: 'test.awaited',
    input: z.strictObject({}),
    maxAttempts: 1,
    title: () => 'A test',
    run: async () => ({}),
  })
  async function given(end: Partial<JobRow>): Promise<string> {
    const { id } = await world.db.write((tx) => enqueue(tx, world.ctx(), kind, {}))
    await world.db.write(({ q, t: { jobs } }) => q.update(jobs).set(end).where(eq(jobs.id, id)))
    return id
  }
  const wait = (id: string) => untilEnded(world.ctx(), id, 0)

  test('is answered once it has succeeded', async () => {
    const id = await given({ status: 'succeeded', result: { files: 3 } })
    expect(await wait(id)).toMatchObject({ id, result: { files: 3 } })
  })

  test('is a problem where it failed, was cancelled, has not ended yet or does not exist', async () => {
    const problem = { code: 'quota-exceeded', message: 'The repo is full.' }
    const failed = await given({ status: 'failed', problem })
    await expect(wait(failed)).rejects.toMatchObject({ code: problem.code, detail: problem.message })
    await expect(wait(await given({ status: 'cancelled' }))).rejects.toMatchObject({ code: 'state-conflict' })
    await expect(wait(await given({ status: 'running' }))).rejects.toMatchObject({
      code: 'temporarily-unavailable',
    })
    await expect(wait(newId())).rejects.toMatchObject({ code: 'not-found' })
  })
})
