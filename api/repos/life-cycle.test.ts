import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { runJobs } from '../jobs/testing.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../testing.ts'
import { cancelJob } from '../jobs/cancel.ts'
import { settingsEtag } from './etag.ts'
import {
  createRepo,
  deleteRepo,
  moveRepo,
  renameRepo,
  repoPurge,
  requireRepo,
  strayRepos,
  transferRepo,
  updateRepo,
} from './index.ts'
import { restoreRepo } from './restore.ts'

const dayMs = 24 * 3_600_000

eachDatabase('life of a Repo', (world) => {
  const at = (ns: string, name: string) => ({ type: 'model' as const, ns, name })
  const later = (ms: number) => (world.clock.now = new Date(world.clock.now.getTime() + ms))
  const actions = async (id: string) => {
    const { audit } = world.db.t
    const rows = await world.db.q.select().from(audit).where(eq(audit.target_id, id)).orderBy(audit.id)
    return rows.map(({ action }) => action)
  }

  test('settings change together with their trace, and not for those who saw an older state', async () => {
    const ada = await givenUser(world, 'ada')
    const ctx = world.ctx(ada)
    const repo = await givenRepo(world, ada, { name: 'set' })
    const etag = settingsEtag(repo)
    const changed = await updateRepo(
      ctx,
      at('ada', 'set'),
      { visibility: 'public', gated: 'auto', description: 'x' },
      etag,
    )
    expect(changed).toMatchObject({ visibility: 'public', gated: 'auto', description: 'x' })
    await expect(updateRepo(ctx, at('ada', 'set'), { description: '' }, etag)).rejects.toMatchObject({
      code: 'precondition-failed',
    })
    await expect(deleteRepo(ctx, at('ada', 'set'), etag)).rejects.toMatchObject({
      code: 'precondition-failed',
    })
    expect(
      await updateRepo(ctx, at('ada', 'set'), { description: '', gated: null }, settingsEtag(changed)),
    ).toMatchObject({
      description: null,
      gated: null,
    })
    await updateRepo(ctx, at('ada', 'set'), { visibility: 'public' })
    expect(await actions(repo.id)).toEqual(['repo.create', 'repo.update', 'repo.update'])
    await expect(updateRepo(ctx, at('ada', 'set'), { defaultBranch: 'nope' })).rejects.toMatchObject({
      errors: [{ field: 'default_branch' }],
    })
  })

  test('a rename keeps the Repo, and a change of case needs no redirect', async () => {
    const bob = await givenUser(world, 'bob')
    const { id } = await givenRepo(world, bob, { name: 'one' })
    expect(await renameRepo(world.ctx(bob), at('bob', 'one'), 'ONE')).toMatchObject({ id, name: 'ONE' })
    expect(await world.db.q.$count(world.db.t.repo_redirects)).toBe(0)
    expect(await renameRepo(world.ctx(bob), at('bob', 'ONE'), 'two')).toMatchObject({ id, name: 'two' })
    expect(await world.db.q.$count(world.db.t.repo_redirects)).toBe(1)
    expect(await renameRepo(world.ctx(bob), at('bob', 'two'), 'one')).toMatchObject({ id, name: 'one' })
    await givenRepo(world, bob, { name: 'three' })
    await expect(renameRepo(world.ctx(bob), at('bob', 'one'), 'Three')).rejects.toMatchObject({
      code: 'name-taken',
    })
    await expect(renameRepo(world.ctx(bob), at('bob', 'one'), 'a--b')).rejects.toMatchObject({
      code: 'invalid-name',
    })
    expect(await actions(id)).toEqual(['repo.create', 'repo.rename', 'repo.rename', 'repo.rename'])
  })

  test('a transfer needs admin on both sides, and tells a taken name only then', async () => {
    const [cid, dan] = [await givenUser(world, 'cid'), await givenUser(world, 'dan')]
    await givenOrg(world, 'theirs', dan, [[cid, 'write']])
    await givenOrg(world, 'ours', cid)
    await givenRepo(world, cid, { name: 'wander' })
    await givenRepo(world, dan, { ns: 'theirs', name: 'wander' })
    await expect(transferRepo(world.ctx(cid), at('cid', 'wander'), 'theirs')).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(transferRepo(world.ctx(cid), at('cid', 'wander'), 'nowhere')).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await transferRepo(world.ctx(cid), at('cid', 'wander'), 'Ours')).toMatchObject({ ns: 'ours' })
    expect(await moveRepo(world.ctx(cid), at('ours', 'wander'), { ns: 'cid', name: 'home' })).toMatchObject({
      ns: 'cid',
      name: 'home',
    })
  })

  test('deletion frees the name, and restoring onto a taken one is refused', async () => {
    const eve = await givenUser(world, 'eve')
    const ctx = world.ctx(eve)
    const { id } = await givenRepo(world, eve, { name: 'phoenix' })
    await deleteRepo(ctx, at('eve', 'phoenix'))
    await expect(deleteRepo(ctx, at('eve', 'phoenix'))).rejects.toMatchObject({ code: 'repo-not-found' })
    await givenRepo(world, eve, { name: 'Phoenix' })
    await expect(restoreRepo(ctx, at('eve', 'phoenix'))).rejects.toMatchObject({ code: 'name-taken' })
    await renameRepo(ctx, at('eve', 'Phoenix'), 'other')
    expect(await restoreRepo(ctx, at('eve', 'phoenix'))).toMatchObject({ id, isDeleted: false })
    expect(await requireRepo(ctx, at('eve', 'phoenix'), 'repo.read')).toMatchObject({ id })
    await expect(restoreRepo(ctx, at('eve', 'phoenix'))).rejects.toMatchObject({ code: 'state-conflict' })
  })

  test('a restored Repo outlives the purge of its deletion', async () => {
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

  test('after the restore window everything of the Repo goes', async () => {
    const gus = await givenUser(world, 'gus')
    const { id } = await givenRepo(world, gus, { name: 'doomed', licence: 'mit' })
    await renameRepo(world.ctx(gus), at('gus', 'doomed'), 'doomed2')
    await deleteRepo(world.ctx(gus), at('gus', 'doomed2'))
    await runJobs(world.deps, [repoPurge])
    expect(await requireRepo(world.ctx(gus), at('gus', 'doomed2'), 'repo.read')).toMatchObject({ id })
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

  test('rename and create of one name: one wins', async () => {
    const ida = await givenUser(world, 'ida')
    for (let round = 0; round < 5; round++) {
      await givenRepo(world, ida, { name: `from${round}` })
      const results = await Promise.allSettled([
        renameRepo(world.ctx(ida), at('ida', `from${round}`), `to${round}`),
        createRepo(world.ctx(ida), at('ida', `To${round}`)),
      ])
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'name-taken' },
      })
    }
  })

  test('transfer and delete at once leave one Repo at one address or none', async () => {
    const jon = await givenUser(world, 'jon')
    await givenOrg(world, 'haven', jon)
    for (let round = 0; round < 5; round++) {
      const name = `r${round}`
      const { id } = await givenRepo(world, jon, { name })
      const [transfer, removal] = await Promise.allSettled([
        transferRepo(world.ctx(jon), at('jon', name), 'haven'),
        deleteRepo(world.ctx(jon), at('jon', name)),
      ])
      const { repos } = world.db.t
      const [row] = await world.db.q.select().from(repos).where(eq(repos.id, id))
      expect([transfer.status, removal.status].toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(row?.deleted_at === null).toBe(transfer.status === 'fulfilled')
      expect(row?.address_key === null).toBe(removal.status === 'fulfilled')
    }
  })
})
