import { expect, test } from 'vitest'
import { eachDatabase, givenUser } from '../../testing.ts'
import { givenContent } from '../../core/lfs/testing.ts'
import { givenRepo } from '../uploads/testing.ts'
import { releaseAbandoned } from './release-abandoned.ts'
import { claimTransfer } from './transfer/rows.ts'

eachDatabase('what a server was fetching when it died', (world) => {
  test('is free after the next start where no other server can be at it', async () => {
    const owner = await givenUser(world, 'owner')
    const repo = await givenRepo(world, owner, 'mirror')
    const { sha256, sizeBytes } = givenContent()
    const wanted = { repoId: repo.id, sha256, sizeBytes }
    const until = new Date(world.clock.now.getTime() + 10_000)
    const problem = { code: 'not-found' as const, detail: 'There is no such repo.' }
    const looks = [
      { key: 'brought', holder: 'dead', until, problem: null },
      { key: 'denied', holder: null, until, problem },
    ]
    await world.db.write(({ q, t }) => q.insert(t.upstream_looks).values(looks))
    expect(await claimTransfer(world.ctx(), wanted)).toMatchObject({ attempt: 1 })
    await releaseAbandoned(world.db)
    const isAlone = world.db.engine === 'sqlite'
    const again = await claimTransfer(world.ctx(), wanted)
    expect(typeof again === 'string' ? again : again.attempt).toBe(isAlone ? 2 : 'busy')
    const left = await world.db.q
      .select({ key: world.db.t.upstream_looks.key })
      .from(world.db.t.upstream_looks)
    expect(left.map(({ key }) => key).toSorted()).toEqual(isAlone ? ['denied'] : ['brought', 'denied'])
  })
})
