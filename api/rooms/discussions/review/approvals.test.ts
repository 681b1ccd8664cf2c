import { beforeEach, expect, test } from 'vitest'
import type { ReviewVerdict } from '../../../../shared/vocabulary.ts'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../../testing.ts'
import { createBranchRule, updateBranchRule } from '../../content/branch-rules/change-rules.ts'
import { add, givenCommit } from '../../content/testing.ts'
import type { Repo } from '../../repos/index.ts'
import { getDiscussion } from '../get.ts'
import { mergePullRequest } from '../merge.ts'
import { givenPullRequest, givenTexts } from '../testing.ts'
import { submitReview } from './submit.ts'

let made = 0

eachDatabase('approvals that a branch rule requires', (world) => {
  let admin: UserActor
  let ann: UserActor
  let ben: UserActor
  let outsider: UserActor
  let repo: Repo
  let num: number
  let ruleId: string
  beforeEach(async () => {
    const tag = ++made
    admin = await givenUser(world, `admin-${tag}`)
    ann = await givenUser(world, `ann-${tag}`)
    ben = await givenUser(world, `ben-${tag}`)
    outsider = await givenUser(world, `out-${tag}`)
    const org = await givenOrg(world, `org-${tag}`, admin, [
      [ann, 'write'],
      [ben, 'write'],
    ])
    repo = await givenRepo(world, admin, { ns: org.name, visibility: 'public' })
    await givenCommit(world, admin, repo, [add('a.txt', 'one\n')])
    ruleId = (await createBranchRule(world.ctx(admin), repo, { pattern: 'main', requiredApprovals: 1 })).id
    num = await givenPullRequest(world, outsider, repo, { 'a.txt': 'two\n' })
  })
  const review = async (by: UserActor, verdict: ReviewVerdict) => {
    const { discussion } = await getDiscussion(world.ctx(by), repo, num)
    const head = discussion.pull?.head ?? ''
    await submitReview(world.ctx(by), repo, num, { verdict, head, body: 'Read.', comments: [] })
  }
  const merge = (by: UserActor) => mergePullRequest(world.ctx(by), repo, num)
  const held = (why: string) => ({
    code: 'branch-protected',
    detail: `The branch main is protected: ${why}.`,
  })

  test('hold the merge until somebody who may write has approved the newest commits', async () => {
    await expect(merge(ann)).rejects.toMatchObject(held('its newest commits have 0 of 1 approvals'))
    const reader = await givenUser(world, `reader-${made}`)
    await review(reader, 'approve')
    await expect(merge(ann)).rejects.toMatchObject({ code: 'branch-protected' })
    await review(ben, 'approve')
    await givenTexts(world, outsider, repo, `refs/pr/${num}`, { 'a.txt': 'three\n' })
    await expect(merge(ann)).rejects.toMatchObject({ code: 'branch-protected' })
    await review(ben, 'approve')
    const { discussion } = await merge(ann)
    expect(discussion.pull.merged).toBeDefined()
  })

  test('do not outweigh requested changes', async () => {
    await review(ann, 'approve')
    await review(ben, 'request_changes')
    await expect(merge(ann)).rejects.toMatchObject(held(`${ben.username} requested changes`))
    await review(ben, 'approve')
    await merge(ann)
  })

  test('hold admins where the rule says so', async () => {
    await updateBranchRule(world.ctx(admin), repo, ruleId, { includeAdmins: true })
    await expect(merge(admin)).rejects.toMatchObject({ code: 'branch-protected' })
    await updateBranchRule(world.ctx(admin), repo, ruleId, { includeAdmins: false })
    await merge(admin)
  })
})
