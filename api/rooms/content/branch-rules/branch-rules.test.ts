import { describe, expect, test } from 'vitest'
import { limits } from '../../../../shared/vocabulary.ts'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../../testing.ts'
import { givenPullRequest } from '../../discussions/testing.ts'
import { mergePullRequest } from '../../discussions/merge.ts'
import type { Repo } from '../../repos/index.ts'
import { superSquash } from '../commit/super-squash.ts'
import { createBranch, deleteBranch } from '../refs/branches.ts'
import { listRefs, shortName } from '../refs/refs.ts'
import { add, givenCommit } from '../testing.ts'
import { createBranchRule, deleteBranchRule, listBranchRules, updateBranchRule } from './change-rules.ts'
import { isAbout } from './protection.ts'

let made = 0

eachDatabase('branch rules', (world) => {
  /** A repo of an organisation with its admin, and one who may write. */
  async function given() {
    const admin = await givenUser(world, `admin-${++made}`)
    const writer = await givenUser(world, `writer-${made}`)
    const org = await givenOrg(world, `org-${made}`, admin, [[writer, 'write']])
    const repo = await givenRepo(world, admin, { ns: org.name, visibility: 'public' })
    await givenCommit(world, admin, repo, [add('a', 'one')])
    return { admin, writer, repo }
  }
  const commits = (who: UserActor, repo: Repo, branch?: string) =>
    givenCommit(world, who, repo, [add(`file-${++made}`)], branch === undefined ? {} : { branch })
  const refused = { code: 'branch-protected', status: 403 }

  test('a protected branch takes merged pull requests, and neither commits, rewriting nor deletion', async () => {
    const { admin, writer, repo } = await given()
    const ctx = world.ctx(writer)
    await createBranchRule(world.ctx(admin), repo, { pattern: 'main' })
    await expect(commits(writer, repo)).rejects.toMatchObject({
      ...refused,
      detail: 'The branch main is protected: changes need a pull request.',
    })
    await expect(superSquash(ctx, repo, 'main')).rejects.toMatchObject(refused)
    await expect(deleteBranch(ctx, repo, 'main', 'api')).rejects.toMatchObject(refused)
    const num = await givenPullRequest(world, writer, repo, { b: 'two' })
    const { discussion } = await mergePullRequest(ctx, repo, num)
    expect(discussion.status).toBe('closed')
  })

  test('what a rule allows is allowed', async () => {
    const { admin, writer, repo } = await given()
    const ctx = world.ctx(writer)
    for (const branch of ['release/1', 'release/2', 'other'])
      await createBranch(ctx, repo, { name: branch, via: 'api' })
    const rule = await createBranchRule(world.ctx(admin), repo, {
      pattern: 'release/*',
      requirePullRequest: false,
    })
    await commits(writer, repo, 'release/1')
    await expect(superSquash(ctx, repo, 'release/1')).rejects.toMatchObject({
      detail: 'The branch release/1 is protected (rule "release/*"): its history cannot be rewritten.',
    })
    const back = { name: 'release/1', from: 'main', overwrite: true, via: 'api' as const }
    await expect(createBranch(ctx, repo, back)).rejects.toMatchObject(refused)
    await expect(deleteBranch(ctx, repo, 'release/2', 'api')).rejects.toMatchObject(refused)
    await superSquash(ctx, repo, 'other')
    await updateBranchRule(world.ctx(admin), repo, rule.id, { allowForcePush: true, allowDeletion: true })
    await superSquash(ctx, repo, 'release/1')
    await deleteBranch(ctx, repo, 'release/2', 'api')
  })

  test('admins are held to it where it says so', async () => {
    const { admin, writer, repo } = await given()
    const rule = await createBranchRule(world.ctx(admin), repo, { pattern: '**' })
    await commits(admin, repo)
    await updateBranchRule(world.ctx(admin), repo, rule.id, { includeAdmins: true })
    await expect(commits(admin, repo)).rejects.toMatchObject(refused)
    await deleteBranchRule(world.ctx(admin), repo, rule.id)
    await commits(writer, repo)
  })

  test('of several rules the strictest counts', async () => {
    const { admin, writer, repo } = await given()
    const loose = { requirePullRequest: false, allowForcePush: true, allowDeletion: true }
    await createBranchRule(world.ctx(admin), repo, { pattern: 'main', ...loose })
    await superSquash(world.ctx(admin), repo, 'main')
    await createBranchRule(world.ctx(admin), repo, { pattern: 'm*', ...loose, requirePullRequest: true })
    await expect(commits(writer, repo)).rejects.toMatchObject(refused)
  })

  test('a branch that is not there may be made, and is not found before', async () => {
    const { admin, writer, repo } = await given()
    const ctx = world.ctx(writer)
    await createBranchRule(world.ctx(admin), repo, { pattern: 'release/*' })
    const absent = { code: 'revision-not-found' }
    await expect(commits(writer, repo, 'release/1')).rejects.toMatchObject(absent)
    await expect(deleteBranch(ctx, repo, 'release/1', 'api')).rejects.toMatchObject(absent)
    await createBranch(ctx, repo, { name: 'release/1', via: 'api' })
    await expect(commits(writer, repo, 'release/1')).rejects.toMatchObject(refused)
  })

  test('lists of branches say which are protected', async () => {
    const { admin, writer, repo } = await given()
    for (const name of ['kept', 'free']) await createBranch(world.ctx(writer), repo, { name, via: 'api' })
    await createBranchRule(world.ctx(admin), repo, { pattern: 'k*t' })
    const refs = await listRefs(world.ctx(writer), repo)
    expect(refs.map((ref) => [shortName(ref), ref.isProtected, ref.isPullRequestOnly])).toEqual([
      ['free', false, false],
      ['kept', true, true],
      ['main', true, false],
    ])
    const [, kept] = await listRefs(world.ctx(admin), repo)
    expect(kept).toMatchObject({ isProtected: true, isPullRequestOnly: false })
  })

  describe('are changed by admins', () => {
    test('and seen by those who may read', async () => {
      const { admin, writer, repo } = await given()
      const rule = await createBranchRule(world.ctx(admin), repo, { pattern: 'main' })
      expect(await listBranchRules(world.ctx(writer), repo)).toEqual([rule])
      for (const change of [
        () => createBranchRule(world.ctx(writer), repo, { pattern: 'x' }),
        () => updateBranchRule(world.ctx(writer), repo, rule.id, { allowDeletion: true }),
        () => deleteBranchRule(world.ctx(writer), repo, rule.id),
      ])
        await expect(change()).rejects.toMatchObject({ code: 'forbidden' })
    })

    test('a rule of another repo is none of this one', async () => {
      const { admin, repo } = await given()
      const other = await givenRepo(world, admin, { ns: repo.ns, name: `other-${made}` })
      const rule = await createBranchRule(world.ctx(admin), other, { pattern: 'main' })
      const ctx = world.ctx(admin)
      await expect(deleteBranchRule(ctx, repo, rule.id)).rejects.toMatchObject({ code: 'not-found' })
      await expect(updateBranchRule(ctx, repo, rule.id, {})).rejects.toMatchObject({ code: 'not-found' })
    })

    test('one for each pattern, so many, and none that matches nothing', async () => {
      const { admin, repo } = await given()
      const ctx = world.ctx(admin)
      const first = await createBranchRule(ctx, repo, { pattern: 'main' })
      await expect(createBranchRule(ctx, repo, { pattern: 'main' })).rejects.toMatchObject({
        code: 'already-exists',
      })
      await expect(createBranchRule(ctx, repo, { pattern: '[' })).rejects.toMatchObject({
        code: 'validation-failed',
        errors: [{ field: 'pattern' }],
      })
      for (let n = 1; n < limits.branchRules; n++) await createBranchRule(ctx, repo, { pattern: `b${n}` })
      await expect(createBranchRule(ctx, repo, { pattern: 'one-more' })).rejects.toMatchObject({
        code: 'state-conflict',
      })
      await expect(updateBranchRule(ctx, repo, first.id, { pattern: 'b1' })).rejects.toMatchObject({
        code: 'already-exists',
      })
    })
  })
})

test.each([
  ['main', 'main', true],
  ['main', 'main2', false],
  ['release/*', 'release/1', true],
  ['release/*', 'release/1/x', false],
  ['release/**', 'release/1/x', true],
  ['**', 'a/b', true],
  ['v[0-9]', 'v7', true],
  ['*', 'a/b', false],
])('the rule %j and the branch %j: %s', (pattern, branch, isMatch) => {
  expect(isAbout({ pattern }, branch)).toBe(isMatch)
})
