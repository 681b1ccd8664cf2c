import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { eachDatabase, givenUser } from '../../testing.ts'
import { defineJob, enqueue } from './index.ts'
import { watchJob } from './watch.ts'

eachDatabase('a watched job that does not change', (world) => {
  const kind = defineJob({
    kind: 'test.watched',
    input: z.strictObject({}),
    maxAttempts: 1,
    title: () => 'A test',
    run: async () => ({}),
  })

  test('is reported as such once in 15 s', async () => {
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    onTestFinished(() => clock.mockRestore())
    const actor = await givenUser(world, 'watcher')
    const ctx = world.ctx(actor)
    const { id } = await world.db.write((tx) => enqueue(tx, ctx, kind, {}, { createdBy: actor.id }))
    let looks = 0
    const callerNow = async () => {
      looks++
      return actor
    }
    const leaving = new AbortController()
    const watch = watchJob(ctx, id, leaving.signal, { callerNow })
    expect((await watch.next()).value).toMatchObject({ job: { id, status: 'queued' }, details: {} })
    now = 15_001
    expect(await watch.next()).toEqual({ done: false, value: undefined })
    const next = watch.next()
    const seen = looks
    await expect.poll(() => looks).toBeGreaterThan(seen + 1)
    leaving.abort()
    expect((await next).done).toBe(true)
  })
})
