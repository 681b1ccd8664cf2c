import { expect, test } from 'vitest'
import { z } from 'zod'
import { deleteRepo } from '../../rooms/repos/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { listJobs, type JobFilters } from './find.ts'
import { defineJob, enqueue } from './index.ts'

const kindOf = (kind: string) =>
  defineJob({ kind, input: z.strictObject({}), maxAttempts: 1, title: () => kind, run: async () => ({}) })

eachDatabase('jobs that are listed', (world) => {
  test('are those of the kind, and of the repo that has the name now', async () => {
    const [ada, root] = [await givenUser(world, 'ada'), await givenUser(world, 'root', { isAdmin: true })]
    const names = { type: 'model' as const, name: 'twin' }
    const repos = [await givenRepo(world, ada, names), await givenRepo(world, root, names)]
    const [kind, other] = [kindOf('test.one'), kindOf('test.other')]
    const add = (of: typeof kind, repoId?: string) =>
      world.db.write((tx) => enqueue(tx, world.ctx(ada), of, {}, repoId === undefined ? {} : { repoId }))
    const first = await add(kind, repos[0]?.id)
    const second = await add(kind, repos[1]?.id)
    const third = await add(other)
    // Each repo has a job of its own, too, which looks for unsafe files.
    const found = async (filter: JobFilters) =>
      (await listJobs(world.ctx(root), filter, { limit: 9 })).items.map(({ id }) => id)
    const ofTwin = { ...names, ns: 'ada' }
    expect(await found({ kind: 'test.one' })).toEqual([second.id, first.id])
    expect(await found({ kind: 'test.other' })).toEqual([third.id])
    expect(await found({ repo: ofTwin, kind: 'test.one' })).toEqual([first.id])
    await deleteRepo(world.ctx(ada), { ...names, ...ofTwin })
    expect((await found({ repo: ofTwin })).includes(first.id)).toBe(false)
  })
})
