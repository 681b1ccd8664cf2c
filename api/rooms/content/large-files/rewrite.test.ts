import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportRepository } from '../../../core/git/export.ts'
import {
  StaleSnapshot,
  withRewrittenHistory,
  type RewrittenHistory,
  type Snapshot,
} from '../../../core/git/index.ts'
import { gitText, withTempDir } from '../../../core/git/testing.ts'
import { findLinked } from '../../../core/lfs/index.ts'
import type { Repo } from '../../repos/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { givenObject } from '../../uploads/testing.ts'
import { createBranch } from '../refs/branches.ts'
import { createTag } from '../refs/tags.ts'
import { add, givenCommit } from '../testing.ts'
import { landRewrite } from './land-rewrite.ts'

const signal = new AbortController().signal

eachDatabase('a history without a large file', (world) => {
  let made = 0
  async function given() {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenRepo(world, owner)
    const [kept, gone] = [await givenObject(world, owner, repo), await givenObject(world, owner, repo)]
    const large = (path: string, object: typeof kept) => ({ op: 'add-lfs' as const, path, ...object })
    const first = await givenCommit(world, owner, repo, [add('a.txt'), large('kept.bin', kept)])
    await givenCommit(world, owner, repo, [
      large('only/here/gone.bin', gone),
      large('b/gone.bin', gone),
      add('b/c'),
    ])
    await givenCommit(world, owner, repo, [add('a.txt', 'again')], { body: 'At length.\n\nAnd more.' })
    return { owner, repo, gone, ctx: world.ctx(owner), first: first.commit, large }
  }

  /** Runs `use` on what stands in place of the history without the file. */
  async function rewriting<T>(
    repo: Repo,
    sha256: string,
    use: (rewritten: RewrittenHistory, snapshot: Snapshot) => Promise<T>,
  ): Promise<T> {
    const snapshot = await world.deps.git.openFresh(repo.id)
    return withRewrittenHistory(world.deps.git, snapshot, new Set([sha256]), { signal }, (rewritten) => {
      if (!rewritten) throw new Error('nothing is to be rewritten')
      return use(rewritten, snapshot)
    })
  }

  function land(repo: Repo, sha256: string, rewritten: RewrittenHistory, snapshot: Snapshot) {
    return landRewrite(world.ctx(), snapshot, rewritten, {
      repo,
      input: { repo_id: repo.id, sha256s: [sha256], user_id: null },
      write: (change) => world.db.write(change),
    })
  }

  const refsOf = (dir: string) => gitText(dir, ['for-each-ref', '--format=%(refname) %(objectname)'])

  test('is, commit by commit, what git itself makes of it', async () => {
    const { owner, repo, gone, ctx, first, large } = await given()
    await createBranch(ctx, repo, { name: 'before', from: first, via: 'api' })
    await createBranch(ctx, repo, { name: 'side', via: 'api' })
    await givenCommit(world, owner, repo, [large('gone-again.bin', gone)], { branch: 'side' })
    await givenCommit(world, owner, repo, [{ op: 'delete', path: 'gone-again.bin' }], { branch: 'side' })
    await createTag(ctx, repo, { name: 'v1', revision: 'side', via: 'api' })
    await createTag(ctx, repo, { name: 'v2', message: 'Two\n\nof them', via: 'api' })
    await createTag(ctx, repo, { name: 'v0', revision: first, message: 'Before', via: 'api' })
    await withTempDir(async (dir) => {
      const [old, now] = [join(dir, 'old.git'), join(dir, 'now.git')]
      await exportRepository(world.deps.git, repo.id, old)
      await rewriting(repo, gone.sha256, (rewritten, snapshot) =>
        land(repo, gone.sha256, rewritten, snapshot),
      )
      await exportRepository(world.deps.git, repo.id, now)
      const drop = 'git rm -q --cached --ignore-unmatch only/here/gone.bin b/gone.bin gone-again.bin'
      const filter = ['--index-filter', drop, '--tag-name-filter', 'cat']
      await gitText(old, ['filter-branch', '-f', ...filter, '--', '--branches', '--tags'])
      const theirs = (await refsOf(old)).split('\n').filter((line) => !line.startsWith('refs/original/'))
      expect((await refsOf(now)).split('\n')).toEqual(theirs)
      expect(await gitText(now, ['fsck', '--strict', '--no-dangling'])).toBe('')
      expect(await gitText(now, ['log', '--all', '--format=%H', '--', '*gone*'])).toBe('')
      expect(await gitText(now, ['rev-parse', 'before'])).toBe(first)
      expect(await gitText(now, ['ls-tree', '-r', '--name-only', 'main'])).toBe(
        '.gitattributes\na.txt\nb/c\nkept.bin',
      )
    })
    expect(await findLinked(world.db, repo.id, [gone.sha256])).toEqual(new Set())
  })

  test('takes no place where a ref moves or comes meanwhile', async () => {
    const { owner, repo, gone, ctx } = await given()
    const headOf = async () => (await ctx.git.openFresh(repo.id)).findRef('refs/heads/main')?.oid
    await rewriting(repo, gone.sha256, async (rewritten, snapshot) => {
      const { commit } = await givenCommit(world, owner, repo, [add('meanwhile')])
      await expect(land(repo, gone.sha256, rewritten, snapshot)).rejects.toMatchObject({
        ref: 'refs/heads/main',
      })
      expect(await headOf()).toBe(commit)
    })
    await rewriting(repo, gone.sha256, async (rewritten, snapshot) => {
      await createBranch(ctx, repo, { name: 'another', via: 'api' })
      const head = await headOf()
      await expect(land(repo, gone.sha256, rewritten, snapshot)).rejects.toBeInstanceOf(StaleSnapshot)
      expect(await headOf()).toBe(head)
    })
    expect(await findLinked(world.db, repo.id, [gone.sha256])).toEqual(new Set([gone.sha256]))
  })

  test('is not made of a file that no commit has', async () => {
    const { repo } = await given()
    const snapshot = await world.deps.git.openFresh(repo.id)
    const none = new Set(['0'.repeat(64)])
    const found = await withRewrittenHistory(world.deps.git, snapshot, none, { signal }, async (it) => it)
    expect(found).toBeUndefined()
  })
})
