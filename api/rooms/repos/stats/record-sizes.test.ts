import { expect, test } from 'vitest'
import { eachDatabase, givenRepo, givenUser, setFacts } from '../../../testing.ts'
import { deleteRepo } from '../lifecycle/delete.ts'
import type { Repo } from '../queries.ts'
import { sizeHistory } from './record-sizes.ts'
import { getStats } from './stats.ts'

const dayMs = 86_400_000

eachDatabase('the size of a repo over time', (world) => {
  const night = (dryRun = false) =>
    sizeHistory.run(world.ctx(), {
      dryRun,
      signal: new AbortController().signal,
      write: (change) => world.db.write(change),
    })
  const grow = (repo: Repo, bytes: number) => setFacts(world.db, repo.id, { head: { bytes } })
  const later = (days: number) => (world.clock.now = new Date(world.clock.now.getTime() + days * dayMs))
  const sizes = async (repo: Repo, days: number) =>
    (await getStats(world.ctx(), repo, days)).days.map(({ sizeBytes }) => sizeBytes)

  test('is recorded on nights when it has changed, and fills every day since; today is the current size', async () => {
    const repo = await givenRepo(world, await givenUser(world, 'grower'))
    await grow(repo, 2 ** 40)
    expect(await sizes(repo, 2)).toEqual([undefined, 2 ** 40])
    expect(await night(true)).toEqual({ recorded: 1 })
    expect(await night()).toEqual({ recorded: 1 })
    later(1)
    expect(await night()).toEqual({ recorded: 0 })
    later(1)
    await grow(repo, 20)
    await night()
    await grow(repo, 0)
    expect(await night()).toEqual({ recorded: 1 })
    later(1)
    await grow(repo, 7)
    expect(await sizes(repo, 5)).toEqual([undefined, 2 ** 40, 2 ** 40, 0, 7])
    expect(await sizes(repo, 2)).toEqual([0, 7])
    expect(await sizes(repo, 1)).toEqual([7])
    later(30)
    expect(await sizes(repo, 3)).toEqual([0, 0, 7])
  })

  test('of one that is deleted is kept no longer', async () => {
    const owner = await givenUser(world, 'leaver')
    const repo = await givenRepo(world, owner)
    await night()
    await grow(repo, 5)
    await deleteRepo(world.ctx(owner), repo)
    expect(await night()).toEqual({ recorded: 0 })
  })
})
