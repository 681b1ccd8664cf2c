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

  test('makes a new one while an equal one runs that admits it', async () => {
    const added: string[] = []
    const admitting = defineJob({
      kind: 'test.admitting',
      input: z.strictObject({}),
      maxAttempts: 1,
      title: () => 'A test',
      async run(ctx, _input, job) {
        const again = () => world.db.write((tx) => enqueue(tx, ctx, admitting, {}, { dedupKey: 'x' }))
        if (added.length > 0) return {}
        added.push(job.id, (await again()).id)
        await job.admitEqual()
        added.push((await again()).id, (await again()).id)
        return {}
      },
    })
    await world.db.write((tx) => enqueue(tx, world.ctx(), admitting, {}, { dedupKey: 'x' }))
    await runJobs(world.deps, [admitting])
    const [first, during, later, last] = added
    expect(during).toBe(first)
    expect(later).not.toBe(first)
    expect(last).toBe(later)
  })

  test('makes a new one as soon as one of a kind runs that admits equal ones', async () => {
    const added: string[] = []
    const admitting = defineJob({
      kind: 'test.admits-equal',
      input: z.strictObject({}),
      maxAttempts: 1,
      title: () => 'A test',
      admitsEqual: true,
      async run(ctx, _input, job) {
        const again = () => world.db.write((tx) => enqueue(tx, ctx, admitting, {}, { dedupKey: 'y' }))
        if (added.length === 0) added.push(job.id, (await again()).id, (await again()).id)
        return {}
      },
    })
    const queue = () => world.db.write((tx) => enqueue(tx, world.ctx(), admitting, {}, { dedupKey: 'y' }))
    expect((await queue()).id).toBe((await queue()).id)
    await runJobs(world.deps, [admitting])
    const [first, during, last] = added
    expect(during).not.toBe(first)
    expect(last).toBe(during)
  })

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
