import { expect, test } from 'vitest'
import { unreachable } from '../../core/git/index.ts'
import { findLinked } from '../../core/lfs/index.ts'
import { pass } from '../../core/lfs/testing.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { pointerCheck } from '../uploads/index.ts'
import { givenObject } from '../uploads/testing.ts'
import { push } from './push/push.ts'
import { superSquash } from './commit/super-squash.ts'
import { add, givenCommit, textOf } from './testing.ts'

eachDatabase('what the history of a repo has lost', (world) => {
  let made = 0
  const sweep = () =>
    unreachable.run(world.ctx(), {
      dryRun: false,
      signal: new AbortController().signal,
      write: (change) => world.db.write(change),
    })
  const graceMs = () => world.deps.config.gc.grace_period

  /** A repo that has two large files, one of which was deleted; then its history was squashed. */
  async function given() {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenRepo(world, owner)
    const contents = [await givenObject(world, owner, repo), await givenObject(world, owner, repo)]
    const [kept, deleted] = contents.map(({ sha256 }) => sha256)
    const large = contents.map(({ sha256, sizeBytes }, i) => ({
      op: 'add-lfs' as const,
      path: `large-${i}.bin`,
      sha256,
      sizeBytes,
    }))
    await givenCommit(world, owner, repo, [...large, add('a')])
    await givenCommit(world, owner, repo, [{ op: 'delete', path: 'large-1.bin' }])
    return { owner, repo, kept: kept ?? '', deleted: deleted ?? '', ctx: world.ctx(owner) }
  }

  const linked = async (repoId: string, ...sha256s: string[]) => [
    ...(await findLinked(world.db, repoId, sha256s)),
  ]

  test('links no large file any more; what the history still has stays linked', async () => {
    const { owner, repo, kept, deleted, ctx } = await given()
    pass(world, 1)
    expect(await sweep()).toMatchObject({ unlinked: 0, failed: 0 })
    await superSquash(ctx, repo, 'main')
    pass(world, graceMs() - 1)
    expect(await sweep()).toMatchObject({ pruned: 0, unlinked: 0 })
    expect(await linked(repo.id, kept, deleted)).toHaveLength(2)
    pass(world, 2)
    expect(await sweep()).toMatchObject({ pruned: 1, unlinked: 1, failed: 0 })
    expect(await linked(repo.id, kept, deleted)).toEqual([kept])
    for await (const finding of pointerCheck.run(ctx, { deep: true, repair: false, repoId: repo.id }))
      expect.fail(finding.message)
    expect(await textOf(world, owner, repo, 'a')).toBe('a\n')
    expect(await sweep()).toMatchObject({ pruned: 0, unlinked: 0 })
  })

  test('a push under way while that goes is looked at again', async () => {
    const { repo, ctx } = await given()
    await superSquash(ctx, repo, 'main')
    const head = (await ctx.git.openFresh(repo.id)).findRef('refs/heads/main')?.commit ?? ''
    pass(world, graceMs() + 1)
    let looks = 0
    const report = await push(ctx, repo, {
      commands: [
        { ref: 'refs/heads/side', new: head },
        { ref: 'refs/pr/1', new: head },
      ],
      isAtomic: false,
      signal: new AbortController().signal,
      pulls: {
        async requirePushable() {
          if (++looks === 1) expect(await sweep()).toMatchObject({ pruned: 1 })
          return async () => undefined
        },
      },
    })
    expect(looks).toBe(2)
    expect(report.refs).toEqual([{ ref: 'refs/heads/side' }, { ref: 'refs/pr/1' }])
  })
})
