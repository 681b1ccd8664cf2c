import { expect, test } from 'vitest'
import { findLinked } from '../../../core/lfs/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { watchedDb } from '../../../testing/watched-db.ts'
import { givenLink, givenObject } from '../../uploads/testing.ts'
import { add, givenCommit } from '../testing.ts'
import { deleteLfsFiles } from './delete.ts'

eachDatabase('a large file that is deleted while somebody pushes', (world) => {
  let made = 0

  /** Deletes it while a commit of another comes before each of the first `pushes` attempts to do so. */
  async function given(pushes: number) {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenRepo(world, owner)
    const object = await givenObject(world, owner, repo)
    const { sha256 } = object
    await givenLink(world, repo, object)
    const ctx = world.ctx(owner)
    let writes = 0
    const db = watchedDb(world.db, async (step, act) => {
      if (step.kind === 'write' && ++writes <= pushes)
        await givenCommit(world, owner, repo, [add(`pushed ${writes}`)])
      return act()
    })
    return {
      deleting: deleteLfsFiles({ ...ctx, db }, repo, [sha256]),
      isKept: async () => (await findLinked(world.db, repo.id, [sha256])).has(sha256),
    }
  }

  test('is gone at the next attempt', async () => {
    const { deleting, isKept } = await given(2)
    await deleting
    expect(await isKept()).toBe(false)
  })

  test('stays where the refs never rest, and the client is asked to come again', async () => {
    const { deleting, isKept } = await given(8)
    await expect(deleting).rejects.toMatchObject({ code: 'temporarily-unavailable', retryAfterS: 5 })
    expect(await isKept()).toBe(true)
  })
})
