import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../../testing.ts'
import { createBranch, deleteBranch } from './branches.ts'
import { listCommits } from '../read/commits.ts'
import { listRefs, shortName } from './refs.ts'
import { createTag, deleteTag } from './tags.ts'
import { add, givenCommit, pathsOf, textOf } from '../testing.ts'

eachDatabase('refs', (world) => {
  let made = 0
  async function given() {
    const owner = await givenUser(world, `user${++made}`)
    const repo = await givenRepo(world, owner)
    return { owner, repo, ctx: world.ctx(owner) }
  }

  describe('branches', () => {
    test('a branch starts at the head, and goes its own way from there', async () => {
      const { owner, repo, ctx } = await given()
      const { commit } = await givenCommit(world, owner, repo, [add('a')])
      expect(await createBranch(ctx, repo, { name: 'feat/x', via: 'api' })).toMatchObject({
        name: 'refs/heads/feat/x',
        commit,
        isDefault: false,
      })
      await givenCommit(world, owner, repo, [add('b')], { branch: 'feat/x' })
      expect(await pathsOf(world, owner, repo, 'feat/x')).toContain('b')
      expect(await pathsOf(world, owner, repo)).not.toContain('b')
      const { total } = await listCommits(ctx, repo, { revision: 'feat/x', limit: 10 })
      expect(total).toBe(3)
    })

    test('an empty branch has one commit and no files', async () => {
      const { owner, repo, ctx } = await given()
      await createBranch(ctx, repo, { name: 'fresh', isEmpty: true, via: 'api' })
      expect(await pathsOf(world, owner, repo, 'fresh')).toEqual([])
      expect((await listCommits(ctx, repo, { revision: 'fresh', limit: 10 })).total).toBe(1)
    })

    test('an existing branch is moved only on request', async () => {
      const { owner, repo, ctx } = await given()
      const first = (await givenCommit(world, owner, repo, [add('a')])).commit
      await givenCommit(world, owner, repo, [add('b')])
      await createBranch(ctx, repo, { name: 'x', via: 'api' })
      const again = { name: 'x', from: first, via: 'api' as const }
      await expect(createBranch(ctx, repo, again)).rejects.toMatchObject({ code: 'already-exists' })
      expect(await createBranch(ctx, repo, { ...again, overwrite: true })).toMatchObject({ commit: first })
    })

    test('rewriting the default branch needs the right to force, and counts its files again', async () => {
      const { owner, repo } = await given()
      const writer = await givenUser(world, `writer${made}`)
      const org = await givenOrg(world, `org${made}`, owner, [[writer, 'write']])
      const shared = await givenRepo(world, owner, { ns: org.name })
      const start = shared.headCommit ?? ''
      await givenCommit(world, owner, shared, [add('a')])
      const back = { name: 'main', from: start, overwrite: true, via: 'api' as const }
      await expect(createBranch(world.ctx(writer), shared, back)).rejects.toMatchObject({ code: 'forbidden' })
      expect(await createBranch(world.ctx(owner), shared, back)).toMatchObject({ commit: start })
      const { repo_heads } = world.db.t
      const [row] = await world.db.q
        .select({ files: repo_heads.files })
        .from(repo_heads)
        .where(eq(repo_heads.repo_id, shared.id))
      expect(row?.files).toBe(1)
      expect(repo.headCommit).not.toBeNull()
    })

    test.each(['a b', 'refs/heads/x', 'x..y', '-x', 'f'.repeat(40), 'HEAD', 'x.lock', 'x~1', ''])(
      'the name %j is refused',
      async (name) => {
        const { repo, ctx } = await given()
        await expect(createBranch(ctx, repo, { name, via: 'api' })).rejects.toMatchObject({
          code: 'invalid-name',
          errors: [{ field: 'name' }],
        })
      },
    )

    test('a name cannot also be a folder of names', async () => {
      const { repo, ctx } = await given()
      await createBranch(ctx, repo, { name: 'a/b', via: 'api' })
      for (const name of ['a', 'a/b/c'])
        await expect(createBranch(ctx, repo, { name, via: 'api' })).rejects.toMatchObject({
          code: 'already-exists',
        })
    })

    test('a start that is not there comes before a bad name', async () => {
      const { repo, ctx } = await given()
      await expect(createBranch(ctx, repo, { name: 'a b', from: 'none', via: 'api' })).rejects.toMatchObject({
        code: 'revision-not-found',
      })
    })

    test('deleting: the default branch stays, a tag is no branch, what is gone is gone', async () => {
      const { repo, ctx } = await given()
      await createBranch(ctx, repo, { name: 'x', via: 'api' })
      await createTag(ctx, repo, { name: 't', via: 'api' })
      await deleteBranch(ctx, repo, 'x', 'api')
      await expect(deleteBranch(ctx, repo, 'x', 'api')).rejects.toMatchObject({ code: 'revision-not-found' })
      await expect(deleteBranch(ctx, repo, 't', 'api')).rejects.toMatchObject({ code: 'revision-not-found' })
      await expect(deleteBranch(ctx, repo, 'main', 'api')).rejects.toMatchObject({ code: 'state-conflict' })
      expect((await listRefs(ctx, repo)).map(shortName)).toEqual(['main', 't'])
    })
  })

  describe('tags', () => {
    test('plain and annotated tags keep their commit while the branch moves on', async () => {
      const { owner, repo, ctx } = await given()
      const { commit } = await givenCommit(world, owner, repo, [add('a', 'one')])
      await createTag(ctx, repo, { name: 'v1', via: 'api' })
      expect(
        await createTag(ctx, repo, { name: 'v1-notes', message: 'First.\n\nGood.', via: 'api' }),
      ).toMatchObject({
        commit,
        message: 'First.\n\nGood.',
      })
      await givenCommit(world, owner, repo, [add('a', 'two')])
      for (const revision of ['v1', 'v1-notes', 'refs/tags/v1-notes'])
        expect(await textOf(world, owner, repo, 'a', revision)).toBe('one')
    })

    test('a tag that is there, a revision that is not, a bad name', async () => {
      const { repo, ctx } = await given()
      await createTag(ctx, repo, { name: 'v1', via: 'api' })
      const tag = (name: string, revision?: string) =>
        createTag(ctx, repo, { name, via: 'api', ...(revision === undefined ? {} : { revision }) })
      await expect(tag('v1')).rejects.toMatchObject({ code: 'already-exists' })
      await expect(tag('v 2', 'none')).rejects.toMatchObject({ code: 'revision-not-found' })
      await expect(tag('v 2')).rejects.toMatchObject({ code: 'invalid-name' })
    })

    test('a deleted tag no longer resolves', async () => {
      const { owner, repo, ctx } = await given()
      await givenCommit(world, owner, repo, [add('a')])
      await createTag(ctx, repo, { name: 'v1', message: 'x', via: 'api' })
      await deleteTag(ctx, repo, 'v1', 'api')
      await expect(textOf(world, owner, repo, 'a', 'v1')).rejects.toMatchObject({
        code: 'revision-not-found',
      })
      await expect(deleteTag(ctx, repo, 'v1', 'api')).rejects.toMatchObject({ code: 'revision-not-found' })
    })
  })
})
