import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import type { Finding } from '../../core/check.ts'
import { createBranch, createTag, listCommits } from '../../rooms/content/index.ts'
import { add, givenCommit, pathsOf, textOf } from '../../rooms/content/testing.ts'
import type { Deps } from '../../core/ctx.ts'
import { getDiscussion, mergePullRequest } from '../../rooms/discussions/index.ts'
import { givenPullRequest, givenTexts } from '../../rooms/discussions/testing.ts'
import { exportRepository } from '../../core/git/export.ts'
import { Git, moveRefs } from '../../core/git/index.ts'
import { gitText, withTempDir } from '../../core/git/testing.ts'
import { checks, jobKinds, refListeners } from '../../app/housekeeping.ts'
import { cancelJob } from '../../core/jobs/cancel.ts'
import { runJobs } from '../../core/jobs/testing.ts'
import { findLinked } from '../../core/lfs/index.ts'
import type { Repo } from '../../rooms/repos/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../testing.ts'
import { givenObject } from '../../rooms/uploads/testing.ts'
import { hubOver, type HubClient } from './testing.ts'

eachDatabase('large files that are deleted with the history rewritten', (world) => {
  let ada: UserActor
  let bob: UserActor
  let mine: HubClient
  const kinds = jobKinds.filter(({ kind }) => kind.startsWith('git.'))
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    mine = await hubOver(world).as(ada)
  })

  /** The answer of a request for which jobs run meanwhile. */
  async function working<T>(asked: Promise<T>, deps: Deps = world.deps): Promise<T> {
    const over = new AbortController()
    const answer = asked.finally(() => over.abort())
    while (!over.signal.aborted) {
      await runJobs(deps, kinds)
      await pause(5)
    }
    return answer
  }

  const at = ({ name }: Repo) => `/api/models/ada/${name}/lfs-files`
  const ask = (repo: Repo, sha: string[], client = mine) =>
    client.send('POST', `${at(repo)}/batch`, { deletions: { sha, rewriteHistory: true } })
  const headOf = async (repo: Repo, ref = 'refs/heads/main') =>
    (await world.deps.git.openFresh(repo.id)).findRef(ref)?.commit ?? expect.fail(ref)

  async function given() {
    const repo = await givenRepo(world, ada, { visibility: 'public' })
    const [kept, gone] = [await givenObject(world, ada, repo), await givenObject(world, ada, repo)]
    const large = (path: string, object: typeof kept) => ({ op: 'add-lfs' as const, path, ...object })
    await givenCommit(world, ada, repo, [add('a.txt'), large('kept.bin', kept)])
    const first = await headOf(repo)
    await givenCommit(world, ada, repo, [large('w/gone.bin', gone)], { title: 'Add it', body: 'Large.' })
    await givenCommit(world, ada, repo, [add('b.txt')])
    return { repo, kept, gone, first, large }
  }

  /** Every commit of every ref, as it reads. */
  const logOf = (dir: string) =>
    gitText(dir, ['log', '--all', '--topo-order', '--format=%an %ae %aI %cn %ce %cI%n%B'])

  async function findings(repo: Repo): Promise<Finding[]> {
    const found: Finding[] = []
    const options = { deep: true, repair: false, repoId: repo.id }
    for (const check of checks)
      for await (const finding of check.run(world.deps, options)) found.push(finding)
    return found.filter(({ repo_id }) => repo_id === repo.id)
  }

  test('are in no commit of any branch, tag, pull request or conversion; all else stays', async () => {
    const { repo, kept, gone, first } = await given()
    const ctx = world.ctx(ada)
    const open = await givenPullRequest(world, bob, repo, { 'open.txt': 'x' })
    const merged = await givenPullRequest(world, bob, repo, { 'merged.txt': 'x' })
    await givenTexts(world, bob, repo, `refs/pr/${merged}`, { 'more.txt': 'x' })
    await mergePullRequest(ctx, repo, merged, { method: 'merge' })
    await createBranch(ctx, repo, { name: 'side', via: 'api' })
    await createBranch(ctx, repo, { name: 'before', from: first, via: 'api' })
    await createTag(ctx, repo, { name: 'v1', message: 'The first', via: 'api' })
    const converted = [{ name: 'refs/convert/parquet', to: await headOf(repo) }]
    const snapshot = await ctx.git.openFresh(repo.id)
    await moveRefs(ctx.git, { snapshot, moves: converted, via: 'convert' })
    await givenCommit(world, ada, repo, [{ op: 'delete', path: 'w/gone.bin' }])
    const makers = async () =>
      (await listCommits(ctx, repo, { limit: 20 })).commits.map(({ userId }) => userId)
    const before = await makers()
    await withTempDir(async (dir) => {
      const [old, now] = [join(dir, 'old.git'), join(dir, 'now.git')]
      await exportRepository(ctx.git, repo.id, old)
      expect(await working(ask(repo, [gone.sha256]))).toMatchObject({ status: 200 })
      await exportRepository(ctx.git, repo.id, now)
      expect(await logOf(now)).toBe(await logOf(old))
      const names = ['for-each-ref', '--format=%(refname) %(contents)']
      expect(await gitText(now, names)).toBe(await gitText(old, names))
      expect(await gitText(now, ['fsck', '--strict', '--no-dangling'])).toBe('')
      expect(await gitText(old, ['log', '--all', '--format=%s', '--', '*gone.bin'])).toContain('Add it')
      expect(await gitText(now, ['log', '--all', '--format=%s', '--', '*gone.bin'])).toBe('')
      const stale = ['rev-list', '--all', `^${first}`]
      const shas = new Set((await gitText(old, stale)).split('\n'))
      expect((await gitText(now, stale)).split('\n').filter((sha) => shas.has(sha))).toEqual([])
    })
    expect(await headOf(repo, 'refs/heads/before')).toBe(first)
    expect(await findings(repo)).toEqual([])
    expect(await findLinked(world.db, repo.id, [kept.sha256, gone.sha256])).toEqual(new Set([kept.sha256]))
    expect((await mine.get<{ filename: string }[]>(at(repo))).body).toMatchObject([{ filename: 'kept.bin' }])

    expect([before.length, new Set(before)]).toEqual([6, new Set([ada.id, bob.id])])
    expect(await makers()).toEqual(before)
    const { discussion, events } = await getDiscussion(ctx, repo, merged)
    const named = [
      ...Object.values(discussion.pull?.merged ?? {}),
      discussion.pull?.openedOn,
      events.at(-1)?.commit,
    ]
    const now = await ctx.git.openFresh(repo.id)
    const reached = new Set(await withHistory(repo))
    for (const sha of named.filter((each) => typeof each === 'string')) {
      expect(await now.findCommit(sha)).toBeDefined()
      expect([sha, reached.has(sha)]).toEqual([sha, true])
    }
    await mergePullRequest(ctx, repo, open)
    expect(await textOf(world, ada, repo, 'open.txt')).toBe('x')
    const { audit } = world.db.t
    const actions = await world.db.q
      .select({ action: audit.action, after: audit.after })
      .from(audit)
      .where(eq(audit.target_id, repo.id))
    expect(actions).toEqual(
      expect.arrayContaining([
        { action: 'repo.lfs.delete', after: { rewritten_by: expect.any(String) } },
        { action: 'repo.history.rewrite', after: { commit: expect.any(String), refs: 6 } },
      ]),
    )
    // About thirty gits run here, which take five seconds alone.
  })

  async function withHistory(repo: Repo): Promise<string[]> {
    return withTempDir(async (dir) => {
      await exportRepository(world.deps.git, repo.id, join(dir, 'x.git'))
      return (await gitText(join(dir, 'x.git'), ['rev-list', '--all'])).split('\n')
    })
  }

  test('are gone also where commits and branches come at the same time, and none of these is lost', async () => {
    const { repo, gone, first } = await given()
    const ctx = world.ctx(ada)
    const old = await headOf(repo)
    const commits = Array.from({ length: 6 }, (_, i) =>
      givenCommit(world, ada, repo, [add(`meanwhile/${i}`)]),
    )
    const branch = createBranch(ctx, repo, { name: 'from-old', from: old, via: 'api' })
    const { status } = await working(ask(repo, [gone.sha256]))
    await Promise.all([branch, ...commits])
    // What came after the answer may hold the old commits again; what came before it may not.
    expect(status).toBe(200)
    expect(await working(ask(repo, [gone.sha256]))).toMatchObject({ status: 200 })
    expect(await pathsOf(world, ada, repo)).toEqual(
      expect.arrayContaining(Array.from({ length: 6 }, (_, i) => `meanwhile/${i}`)),
    )
    const reached = await withHistory(repo)
    expect(reached).toContain(first)
    expect(reached).not.toContain(old)
    expect(await findings(repo)).toEqual([])
  })

  test('are deleted where no commit of a ref has them any more, and passed over where there are none', async () => {
    const { repo, kept, gone, first } = await given()
    await createBranch(world.ctx(ada), repo, { name: 'main', from: first, overwrite: true, via: 'api' })
    expect(await working(ask(repo, [gone.sha256, '0'.repeat(64)]))).toMatchObject({ status: 200 })
    expect(await ask(repo, [])).toMatchObject({ status: 200 })
    expect(await headOf(repo)).toBe(first)
    expect(await findLinked(world.db, repo.id, [kept.sha256, gone.sha256])).toEqual(new Set([kept.sha256]))
  })

  test('stay where a history is too long to be rewritten, and the answer says what to do', async () => {
    const { repo, gone } = await given()
    const { git: engine, ...deps } = world.deps
    const config = { ...deps.config, git: { ...deps.config.git, max_pack_size: 100 } }
    const git = new Git({ ...deps, config, refListeners })
    const { status, body } = await working(ask(repo, [gone.sha256]), { ...deps, config, git })
    await git.close()
    expect([status, body['error']]).toEqual([409, expect.stringContaining('git filter-repo')])
    expect((await engine.openFresh(repo.id)).findRef('refs/heads/main')).toBeDefined()
    expect(await findLinked(world.db, repo.id, [gone.sha256])).toEqual(new Set([gone.sha256]))
  })

  test('stay when the job is cancelled; two who ask for the same wait for one', async () => {
    const { repo, gone } = await given()
    const head = await headOf(repo)
    const both = Promise.all([ask(repo, [gone.sha256]), ask(repo, [gone.sha256, gone.sha256])])
    const { audit, jobs } = world.db.t
    // Both are written down in the transaction that queues or joins.
    const isOfRepo = and(eq(audit.target_id, repo.id), eq(audit.action, 'repo.lfs.delete'))
    await expect.poll(() => world.db.q.$count(audit, isOfRepo)).toBe(2)
    const queued = () =>
      world.db.q
        .select()
        .from(jobs)
        .where(and(eq(jobs.repo_id, repo.id), eq(jobs.kind, 'git.rewrite')))
    const [job, ...others] = await queued()
    expect([job?.title, others]).toEqual(['Take a large file out of the history', []])
    await cancelJob(world.ctx(ada), job?.id ?? '')
    const answers = await both
    expect(answers.map(({ status }) => status)).toEqual([409, 409])
    expect(answers[0].body['error']).toContain('was cancelled')
    expect(await headOf(repo)).toBe(head)
  })

  test('are for admins of the repo to delete', async () => {
    const org = await givenOrg(world, `org${Math.random().toString(36).slice(2, 8)}`, ada, [[bob, 'write']])
    const repo = await givenRepo(world, ada, { ns: org.name })
    const theirs = await hubOver(world).as(bob)
    const sent = (client: HubClient, name: string) =>
      client.send('POST', `/api/models/${name}/lfs-files/batch`, {
        deletions: { sha: ['0'.repeat(64)], rewriteHistory: true },
      })
    expect((await sent(theirs, `${org.name}/${repo.name}`)).status).toBe(403)
    const hidden = await givenRepo(world, ada, { visibility: 'private' })
    expect((await sent(theirs, `ada/${hidden.name}`)).status).toBe(404)
  })
})
