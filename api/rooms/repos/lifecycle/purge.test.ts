import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cancelJob } from '../../../core/jobs/cancel.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { deleteRepo, renameRepo, repoPurge, requireRepo, strayRepos } from '../index.ts'
import { restoreRepo } from './restore.ts'

const dayMs = 24 * 3_600_000

eachDatabase('purging a repo', (world) => {
  const at = (ns: string, name: string) => ({ type: 'model' as const, ns, name })
  const later = (ms: number) => (world.clock.now = new Date(world.clock.now.getTime() + ms))
  const actions = async (id: string) => {
    const { audit } = world.db.t
    const rows = await world.db.q.select().from(audit).where(eq(audit.target_id, id)).orderBy(audit.id)
    return rows.map(({ action }) => action)
  }

  test('a restored repo outlives the purge of its deletion', async () => {
    const fay = await givenUser(world, 'fay')
    const { id } = await givenRepo(world, fay, { name: 'kept' })
    await deleteRepo(world.ctx(fay), at('fay', 'kept'))
    later(dayMs)
    await restoreRepo(world.ctx(fay), at('fay', 'kept'))
    later(1000)
    await deleteRepo(world.ctx(fay), at('fay', 'kept'))
    later(6.5 * dayMs)
    await runJobs(world.deps, [repoPurge])
    expect(await restoreRepo(world.ctx(fay), at('fay', 'kept'))).toMatchObject({ id })
  })

  test('after the restore window everything of the repo goes', async () => {
    const gus = await givenUser(world, 'gus')
    const { id } = await givenRepo(world, gus, { name: 'doomed', licence: 'mit' })
    await renameRepo(world.ctx(gus), at('gus', 'doomed'), 'doomed2')
    await deleteRepo(world.ctx(gus), at('gus', 'doomed2'))
    await runJobs(world.deps, [repoPurge])
    expect(await requireRepo(world.ctx(gus), at('gus', 'doomed2'), 'repo.get')).toMatchObject({ id })
    later(7 * dayMs)
    await expect(restoreRepo(world.ctx(gus), at('gus', 'doomed2'))).rejects.toMatchObject({
      code: 'state-conflict',
    })
    await runJobs(world.deps, [repoPurge])
    const { q, t } = world.db
    for (const table of [
      t.repo_tags,
      t.repo_redirects,
      t.git_refs,
      t.git_commits,
      t.git_dirs,
      t.git_changes,
      t.git_chains,
    ])
      expect(await q.$count(table, eq(table.repo_id, id))).toBe(0)
    expect(await q.$count(t.repos, eq(t.repos.id, id))).toBe(0)
    const packs = await q.select().from(t.git_packs).where(eq(t.git_packs.repo_id, id))
    expect(packs).toMatchObject([{ state: 'retired' }])
    expect((await actions(id)).at(-1)).toBe('repo.purge')
  })

  test('a cancelled purge is made up for by the nightly gc', async () => {
    const hal = await givenUser(world, 'hal')
    const { id } = await givenRepo(world, hal, { name: 'stuck' })
    await deleteRepo(world.ctx(hal), at('hal', 'stuck'))
    const { jobs, repos } = world.db.t
    const [job] = await world.db.q.select().from(jobs).where(eq(jobs.repo_id, id))
    await cancelJob(world.ctx(hal), job?.id ?? '')
    later(9 * dayMs)
    const write = world.db.write.bind(world.db)
    const run = { dryRun: false, signal: new AbortController().signal, write }
    expect(await strayRepos.run(world.ctx(), run)).toEqual({ overdue: 1 })
    await runJobs(world.deps, [repoPurge])
    expect(await world.db.q.$count(repos, eq(repos.id, id))).toBe(0)
  })
})
