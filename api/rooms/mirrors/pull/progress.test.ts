import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { givenHub, siteOf } from '../testing/site.ts'
import { createPull } from './create-pull.ts'
import { PullProgress, type PullingJob } from './progress.ts'

eachDatabase('the progress of a pull', (world) => {
  const hub = givenHub(world)
  const site = siteOf(world, hub)
  let person: UserActor
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
  })

  test('is written also where nothing follows what has just been written', async () => {
    await hub.commit('acme/quiet', { 'README.md': '# Model\n' })
    const { id } = await createPull(site.ctx(person), site.wish('acme/quiet'))
    const file = { path: 'a.bin', sha256: 'a'.repeat(64), sizeBytes: 10 }
    const job: PullingJob = {
      id,
      write: (act) => world.db.write(act),
      progress: async () => undefined,
      log: () => undefined,
    }
    const progress = new PullProgress(site.ctx(person), job, 'none', [file])
    await progress.begin()
    progress.set(file.path, { done: 3, status: 'transferring' })
    const { pulls, pull_files: files } = world.db.t
    const written = async () => {
      const [[row], [pull]] = await Promise.all([
        world.db.q.select({ done: files.done }).from(files),
        world.db.q.select({ note: pulls.note }).from(pulls),
      ])
      return [row?.done, pull?.note ?? null]
    }
    await expect.poll(written).toEqual([3, null])
    progress.set(file.path, { done: 7, status: 'transferring' })
    progress.waits('Waiting for 01:00')
    await expect.poll(written, { timeout: 10_000 }).toEqual([7, 'Waiting for 01:00'])
    await progress.end()
  })
})
