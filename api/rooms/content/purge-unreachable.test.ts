import { expect, test } from 'vitest'
import { gitPurge } from '../../core/git/index.ts'
import { runJobs } from '../../core/jobs/testing.ts'
import { findLinked } from '../../core/lfs/index.ts'
import { pass } from '../../core/lfs/testing.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { givenObject } from '../uploads/testing.ts'
import { purgeUnreachable } from './purge-unreachable.ts'
import { superSquash } from './commit/super-squash.ts'
import { add, givenCommit, textOf } from './testing.ts'

eachDatabase('purging what is unreachable', (world) => {
  test('takes a secret that the history has lost, and its large file, at once; the rest stays', async () => {
    const owner = await givenUser(world, 'owner')
    const ctx = world.ctx(owner)
    const repo = await givenRepo(world, owner)
    const [kept, lost] = [await givenObject(world, owner, repo), await givenObject(world, owner, repo)]
    const large = (path: string, object: typeof kept) => ({ op: 'add-lfs' as const, path, ...object })
    await givenCommit(world, owner, repo, [add('secret'), large('kept', kept), large('lost', lost)])
    const leaked = (await ctx.git.openFresh(repo.id)).findRef('refs/heads/main')?.commit ?? ''
    await givenCommit(world, owner, repo, [
      { op: 'delete', path: 'secret' },
      { op: 'delete', path: 'lost' },
      add('a'),
    ])
    await superSquash(ctx, repo, 'main')
    pass(world, 1)

    const findLeaked = async () => (await ctx.git.open(repo.id)).findCommit(leaked)
    expect(await findLeaked()).toBeDefined()
    const { id } = await purgeUnreachable(ctx, repo)
    expect((await purgeUnreachable(ctx, repo)).id).toBe(id)
    await runJobs(world.deps, [gitPurge])
    expect(await findLeaked()).toBeUndefined()
    expect([...(await findLinked(world.db, repo.id, [kept.sha256, lost.sha256]))]).toEqual([kept.sha256])
    expect(await textOf(world, owner, repo, 'a')).toBe('a\n')
  })

  test('is for admins of the repo', async () => {
    const [owner, other] = [await givenUser(world, 'ada'), await givenUser(world, 'other')]
    const [open, hidden] = [
      await givenRepo(world, owner, { visibility: 'public' }),
      await givenRepo(world, owner, { visibility: 'private' }),
    ]
    await expect(purgeUnreachable(world.ctx(other), open)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(purgeUnreachable(world.ctx(other), hidden)).rejects.toMatchObject({ code: 'repo-not-found' })
  })
})
