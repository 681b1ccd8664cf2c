import { expect, test } from 'vitest'
import { z } from 'zod'
import { eachDatabase } from '../../testing.ts'
import { defineJob, enqueue } from './index.ts'
import { runJobs } from './testing.ts'

eachDatabase('enqueueing', (world) => {
  const kind = defineJob({
    kind: 'test.work',
    input: z.strictObject({}),
    maxAttempts: 1,
    title: () => 'A test',
    run: async () => ({}),
  })
  const add = (dedupKey: string) => world.db.write((tx) => enqueue(tx, world.ctx(), kind, {}, { dedupKey }))

  test('answers an equal job while one is queued or running, and a new one after', async () => {
    const first = await add('a')
    expect((await add('a')).id).toBe(first.id)
    expect((await add('b')).id).not.toBe(first.id)
    await runJobs(world.deps, [kind])
    expect((await add('a')).id).not.toBe(first.id)
  })

  test('of many equal requests at once makes one job', async () => {
    const jobs = await Promise.all(Array.from({ length: 8 }, () => add('many')))
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1)
  })

  test.each(['its kind', 'its run'])(
    'makes a new one once an equal one runs, where %s admits it',
    async (by) => {
      const admitsEqual = by === 'its kind'
      const added: string[] = []
      const admitting = defineJob({
        kind: `test.${by.replace(' ', '-')}`,
        input: z.strictObject({}),
        maxAttempts: 1,
        title: () => 'A test',
        admitsEqual,
        async run(_ctx, _input, job) {
          if (added.length > 0) return {}
          added.push(job.id)
          if (!admitsEqual) {
            added.push(await queue())
            await job.admitEqual()
          }
          added.push(await queue(), await queue())
          return {}
        },
      })
      const queue = async () =>
        (await world.db.write((tx) => enqueue(tx, world.ctx(), admitting, {}, { dedupKey: 'x' }))).id
      expect(await queue()).toBe(await queue())
      await runJobs(world.deps, [admitting])
      const [first, ...during] = added
      const [later, last] = during.slice(-2)
      // Until its run says so, an equal one is the same.
      expect(during.slice(0, -2)).toEqual(admitsEqual ? [] : [first])
      expect(later).not.toBe(first)
      expect(last).toBe(later)
    },
  )

  test('is undone with the change it belongs to', async () => {
    const before = await world.db.q.$count(world.db.t.jobs)
    const change = world.db.write(async (tx) => {
      await enqueue(tx, world.ctx(), kind, {})
      throw new Error('no')
    })
    await expect(change).rejects.toThrow('no')
    expect(await world.db.q.$count(world.db.t.jobs)).toBe(before)
  })
})
