import { beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { collect, objectRow, pass } from '../../core/lfs/testing.ts'
import type { Repo } from '../repos/index.ts'
import { after, before, eachDatabase, givenRepo, givenUser, hold } from '../../testing.ts'
import { givenObject } from '../uploads/testing.ts'
import { createBranch } from './refs/branches.ts'
import { commit } from './commit/commit.ts'
import { listCommits } from './read/commits.ts'
import { mergeInto } from './commit/merge.ts'
import type { CommitOperation } from './commit/operations.ts'
import { add, givenCommit, pathsOf, textOf } from './testing.ts'

eachDatabase('a commit between two looks', (world) => {
  let made = 0
  let owner: UserActor
  let repo: Repo
  beforeEach(async () => {
    owner = await givenUser(world, `user${++made}`)
    repo = await givenRepo(world, owner)
  })

  async function givenLarge(path: string) {
    const { sha256, sizeBytes } = await givenObject(world, owner, repo)
    const operation: CommitOperation = { op: 'add-lfs', path, sha256, sizeBytes }
    return { sha256, operation }
  }

  const headOf = async (ref = 'refs/heads/main') =>
    (await world.deps.git.openFresh(repo.id)).findRef(ref)?.commit ?? expect.fail('no head')

  /** A commit of these that has stored its pack on the head as it was. */
  const held = (...operations: CommitOperation[]) =>
    hold(world.ctx(owner), after('put', { key: /\.pack$/ }), (ctx) =>
      commit(ctx, repo, { title: 'held', via: 'api', operations }),
    )

  test('names no object that gc has taken meanwhile, and leaves nothing behind', async () => {
    const head = await headOf()
    const { sha256, operation } = await givenLarge('large.bin')
    const underWay = await held(operation, add('beside'))
    const graceMs = world.deps.config.gc.grace_period
    for (let i = 0; i < 3; i++) {
      pass(world, graceMs + 1)
      await collect(world)
    }
    expect(await objectRow(world, sha256)).toBeUndefined()
    await expect(underWay.resume()).rejects.toMatchObject({ code: 'lfs-object-missing' })
    expect(await headOf()).toBe(head)
    expect(await pathsOf(world, owner, repo)).not.toContain('beside')
  })

  test('made again on another head keeps the rules that the head brought, and adds none of its own to them', async () => {
    const { operation } = await givenLarge('large.odd')
    const underWay = await held(operation)
    const theirs = '# theirs\n*.odd filter=lfs diff=lfs merge=lfs -text\n'
    await givenCommit(world, owner, repo, [add('.gitattributes', theirs)])
    await underWay.resume()
    expect(await textOf(world, owner, repo, '.gitattributes')).toBe(theirs)
    expect(await pathsOf(world, owner, repo)).toContain('large.odd')
    expect((await listCommits(world.ctx(owner), repo, { limit: 10 })).total).toBe(3)
  })

  /** The branch `side` deletes `old` and adds `new`; a merge of it into `main` that is about to move it. */
  async function givenMergeUnderWay() {
    await givenCommit(world, owner, repo, [add('old'), add('other')])
    await createBranch(world.ctx(owner), repo, { name: 'side', overwrite: false, via: 'api' })
    const changes: CommitOperation[] = [{ op: 'delete', path: 'old' }, add('new')]
    const { commit: head } = await givenCommit(world, owner, repo, changes, { branch: 'side' })
    await givenCommit(world, owner, repo, [add('main')])
    const author = { name: 'Ada', email: 'ada@example.org', at: world.clock.now, tzMinutes: 0 }
    const bases: (string | undefined)[] = []
    const underWay = await hold(world.ctx(owner), after('put', { key: /\.pack$/ }), (ctx) =>
      mergeInto(ctx, repo, {
        ref: 'refs/heads/main',
        head,
        isSquash: true,
        message: 'merge',
        author,
        authorId: owner.id,
        alongside: async (_, { mergeBase }) => void bases.push(mergeBase),
      }),
    )
    return { underWay, bases }
  }

  test('a merge made again on another base does what is left to do', async () => {
    const { underWay, bases } = await givenMergeUnderWay()
    await givenCommit(world, owner, repo, [{ op: 'delete', path: 'old' }, add('main', 'changed')])
    const { commit: sha } = await underWay.resume()
    expect(await headOf()).toBe(sha)
    expect(await pathsOf(world, owner, repo)).toEqual(['.gitattributes', 'main', 'new', 'other'])
    expect(await textOf(world, owner, repo, 'main')).toBe('changed')
    // The first attempt may have come as far as its rows, which are void.
    expect(bases.length).toBeGreaterThan(0)
  })

  test('a merge whose base takes all of it meanwhile has nothing to do, one whose base contradicts it fails', async () => {
    const same = await givenMergeUnderWay()
    await givenCommit(world, owner, repo, [{ op: 'delete', path: 'old' }, add('new')])
    await expect(same.underWay.resume()).rejects.toMatchObject({ code: 'state-conflict' })
    repo = await givenRepo(world, owner)
    const other = await givenMergeUnderWay()
    await givenCommit(world, owner, repo, [add('old', 'changed'), add('new', 'other')])
    const head = await headOf()
    await expect(other.underWay.resume()).rejects.toMatchObject({
      code: 'merge-conflict',
      members: { paths: ['new', 'old'] },
    })
    expect(await headOf()).toBe(head)
  })

  test('of two that build on the head they have seen, the second to finish is refused', async () => {
    const parentCommit = await headOf()
    const underWay = await hold(world.ctx(owner), before('write', { nth: 2 }), (ctx) =>
      commit(ctx, repo, { title: 'held', via: 'api', parentCommit, operations: [add('mine')] }),
    )
    const { commit: sha } = await givenCommit(world, owner, repo, [add('theirs')], { parentCommit })
    await expect(underWay.resume()).rejects.toMatchObject({
      code: 'commit-conflict',
      members: { current_commit: sha },
    })
    expect(await headOf()).toBe(sha)
  })
})
