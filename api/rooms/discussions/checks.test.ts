import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import type { CheckOptions } from '../../core/check.ts'
import { runJobs } from '../../core/jobs/testing.ts'
import { deleteRepo, renameRepo, repoPurge, requireRepo, type Repo } from '../repos/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { discussionCheck } from './checks.ts'
import { comment } from './comment.ts'
import { getDiscussion } from './get.ts'
import { givenDiscussion, givenPullRequest } from './testing.ts'

eachDatabase('the check of discussions', (world) => {
  let owner: UserActor
  let repo: Repo
  let pull: number
  beforeAll(async () => {
    owner = await givenUser(world, 'ada')
    repo = await givenRepo(world, owner)
    await givenDiscussion(world, owner, repo)
    pull = await givenPullRequest(world, owner, repo, { x: 'x' })
    await comment(world.ctx(owner), repo, pull, 'More.')
  })

  async function findings(options: Partial<CheckOptions> = {}): Promise<string[]> {
    const all: string[] = []
    for await (const { check, message, repaired } of discussionCheck.run(world.deps, {
      deep: false,
      repair: false,
      ...options,
    }))
      all.push(`${check}: ${message}${repaired ? ' (repaired)' : ''}`)
    return all
  }

  test('finds nothing where all is well', async () => {
    expect(await findings()).toEqual([])
  })

  test('finds and fixes wrong counts and a counter that lags behind', async () => {
    await world.db.write(async ({ q, t }) => {
      await q.update(t.discussions).set({ comment_count: 7 }).where(eq(t.discussions.num, pull))
      await q.update(t.discussion_counters).set({ last: 1 })
    })
    const wrong = [
      'discussions.comments: 2 has 2 comments, its row says 7',
      'discussions.numbers: 2 is in use, the counter says 1',
    ]
    expect(await findings()).toEqual(wrong)
    expect(await findings({ repair: true })).toEqual(wrong.map((each) => `${each} (repaired)`))
    expect(await findings()).toEqual([])
    expect(await givenDiscussion(world, owner, repo)).toBe(3)
  })

  test('finds a pull request without a ref, and a ref without a pull request', async () => {
    const { git_refs: r } = world.db.t
    const isIt = and(eq(r.repo_id, repo.id), eq(r.name, `refs/pr/${pull}`))
    await world.db.write(({ q }) => q.update(r).set({ name: 'refs/pr/99' }).where(isIt))
    expect(await findings()).toEqual([
      'discussions.ref: the pull request 2 has no ref refs/pr/2',
      'discussions.pull-request: refs/pr/99 belongs to no pull request',
    ])
    expect(await findings({ repoId: 'another' })).toEqual([])
    await world.db.write(({ q }) =>
      q
        .update(r)
        .set({ name: `refs/pr/${pull}` })
        .where(eq(r.name, 'refs/pr/99')),
    )
    expect(await findings()).toEqual([])
  })

  test('a renamed repo keeps its discussions, a purged one takes them along', async () => {
    const renamed = await renameRepo(world.ctx(owner), repo, 'elsewhere')
    expect((await getDiscussion(world.ctx(owner), renamed, pull)).discussion.num).toBe(pull)
    await deleteRepo(world.ctx(owner), renamed)
    await expect(requireRepo(world.ctx(owner), renamed, 'repo.read')).rejects.toMatchObject({
      code: 'repo-not-found',
    })
    expect(await world.db.q.$count(world.db.t.discussions)).toBe(3)
    world.clock.now = new Date(world.clock.now.getTime() + world.deps.config.repos.restore_window + 1)
    await runJobs(world.deps, [repoPurge])
    for (const name of ['repos', 'discussions', 'discussion_events', 'discussion_counters'] as const)
      expect(await world.db.q.$count(world.db.t[name])).toBe(0)
    expect(await findings()).toEqual([])
  })
})
