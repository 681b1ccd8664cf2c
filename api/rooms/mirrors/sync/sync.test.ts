import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { HIDDEN_REFS } from '../../../core/git/index.ts'
import { enqueue } from '../../../core/jobs/index.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { codeOf, hours, pass } from '../../../core/lfs/testing.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { listCommits, listRefs, push } from '../../content/index.ts'
import { requireRepo } from '../../repos/index.ts'
import { findMirror } from '../queries.ts'
import { detachMirror, getMirror, syncNow, updateMirror } from '../settings/mirror.ts'
import { givenHub, siteOf } from '../testing/site.ts'
import { mirrorDue } from './sync-job.ts'

eachDatabase('syncs of mirrors', (world) => {
  const hub = givenHub(world)
  let person: UserActor
  let admin: UserActor
  const site = siteOf(world, hub)
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
    admin = await givenUser(world, 'sync-admin', { isAdmin: true })
  })

  const readme = { 'README.md': '# Model\n' }
  const address = (name: string) => ({ type: 'model', ns: 'acme', name }) as const
  const repoOf = (name: string) => requireRepo(site.ctx(person), address(name), 'repo.read')
  const rowOf = async (name: string) => {
    const row = await findMirror(world.db, (await repoOf(name)).id)
    return row ?? expect.fail('no mirror')
  }
  const synced = async (name: string) =>
    site.run(site.ctx(), (await syncNow(site.ctx(admin), address(name))).id)

  test('those that follow are queued when their time has come, once for each time; others are not', async () => {
    for (const name of ['follows', 'hourly', 'manual', 'pinned']) {
      await hub.commit(`acme/${name}`, readme)
      await site.pulled(site.ctx(person), site.wish(`acme/${name}`))
    }
    const ctx = site.ctx(admin)
    await updateMirror(ctx, address('hourly'), { schedule: '15 * * * *' })
    await updateMirror(ctx, address('manual'), { tracking: 'manual' })
    await updateMirror(ctx, address('pinned'), { tracking: 'pinned' })
    const daily = (await rowOf('follows')).next_sync_at ?? expect.fail('it does not follow')
    const since = daily.getTime() - world.clock.now.getTime()
    expect(since).toBeGreaterThan(0)
    expect(since).toBeLessThanOrEqual(hours(24))
    const { q, t } = world.db
    const look = async () => {
      await world.db.write((tx) => enqueue(tx, site.ctx(), mirrorDue, {}))
      await runJobs(site.ctx(), [mirrorDue])
      const rows = await q
        .select({ repo: t.jobs.repo_id })
        .from(t.jobs)
        .where(and(eq(t.jobs.kind, 'mirror.sync'), eq(t.jobs.status, 'queued')))
      const names = new Map<string | null, string>()
      for (const name of ['follows', 'hourly', 'manual', 'pinned']) names.set((await repoOf(name)).id, name)
      return rows.flatMap(({ repo }) => names.get(repo) ?? []).toSorted()
    }
    const hourly = (await rowOf('hourly')).next_sync_at ?? expect.fail('it does not follow')
    expect(hourly.getUTCMinutes()).toBe(15)
    world.clock.now = new Date(Math.min(hourly.getTime(), daily.getTime()) - 1000)
    expect(await look()).toEqual([])
    world.clock.now = new Date(Math.max(hourly.getTime(), daily.getTime()))
    expect(await look()).toEqual(['follows', 'hourly'])
    // The next time is noted with the job, also where that fails.
    expect((await rowOf('follows')).next_sync_at).toEqual(new Date(daily.getTime() + hours(24)))
    expect(await look()).toEqual(['follows', 'hourly'])
    expect((await rowOf('follows')).state).toBe('queued')
    const moved = await hub.commit('acme/follows', { 'a.txt': 'a' })
    const [job] = await q
      .select()
      .from(t.jobs)
      .where(and(eq(t.jobs.kind, 'mirror.sync'), eq(t.jobs.repo_id, (await repoOf('follows')).id)))
    expect((await site.run(site.ctx(), job?.id ?? '')).status).toBe('succeeded')
    expect((await repoOf('follows')).headCommit).toBe(moved)
  })

  test('a pinned one stays at its commit, and its sync brings what was selected since', async () => {
    const bytes = randomBytes(3000)
    const first = await hub.commit('acme/stays', readme, { large: { 'a.bin': bytes } })
    await site.pulled(site.ctx(person), site.wish('acme/stays', { selection: {}, tracking: 'pinned' }))
    await hub.commit('acme/stays', { 'a.txt': 'a' })
    const read = () => site.read(site.ctx(person), 'acme/stays', 'a.bin')
    expect(await codeOf(read())).toBe('lfs-object-missing')
    await updateMirror(site.ctx(admin), address('stays'), { selection: { include: ['*.bin'] } })
    expect(await synced('stays')).toMatchObject({ status: 'succeeded', result: { commit: first, files: 1 } })
    expect((await repoOf('stays')).headCommit).toBe(first)
    expect((await read()).equals(bytes)).toBe(true)
  })

  test('the whole history comes with the next sync where an update asks for it', async () => {
    for (const n of ['one', 'two', 'three']) await hub.commit('acme/later', { ...readme, [`${n}.txt`]: n })
    await site.pulled(site.ctx(person), site.wish('acme/later'))
    const count = async () =>
      (await listCommits(site.ctx(person), address('later'), { limit: 10 })).commits.length
    expect(await count()).toBe(1)
    await updateMirror(site.ctx(admin), address('later'), { history: 'full' })
    expect((await synced('later')).status).toBe('succeeded')
    expect(await count()).toBe(3)
    const snapshot = await world.deps.git.openFresh((await repoOf('later')).id)
    expect(snapshot.shallow.size).toBe(0)
  })

  test('the last 20 heads stay whole under refs that no list shows; older ones go', async () => {
    const heads: string[] = []
    heads.push(await hub.commit('acme/many', { 'n.txt': '0' }))
    await site.pulled(site.ctx(person), site.wish('acme/many'))
    for (let i = 1; i < 23; i++) {
      pass(world, 60_000)
      // Each rewrites the one before, so that nothing but its ref keeps it.
      await hub.git('acme/many', 'update-ref', '-d', 'refs/heads/main')
      heads.push(await hub.commit('acme/many', { 'n.txt': String(i) }))
      expect((await synced('many')).status).toBe('succeeded')
    }
    const { id } = await repoOf('many')
    const snapshot = await world.deps.git.openFresh(id)
    const hidden = snapshot.listRefs(`${HIDDEN_REFS}/`).map(({ commit }) => commit)
    expect(hidden.toSorted()).toEqual(heads.slice(-20).toSorted())
    const listed = await listRefs(site.ctx(person), address('many'))
    expect(listed.map(({ name }) => name)).toEqual(['refs/heads/main'])
    const content = (commit = '') => site.read(site.ctx(person), 'acme/many', 'n.txt', commit)
    expect((await content(heads[3])).toString()).toBe('3')
    expect((await content(heads[22])).toString()).toBe('22')
  })

  test('the refs of former heads take no push, also once the mirror is detached', async () => {
    const first = await hub.commit('acme/hidden', readme)
    await site.pulled(site.ctx(person), site.wish('acme/hidden'))
    const repo = await detachMirror(site.ctx(admin), address('hidden'))
    const kept = `${HIDDEN_REFS}/${first}`
    const commands = [
      { ref: kept, old: first },
      { ref: `${HIDDEN_REFS}/${'1'.repeat(40)}`, new: first },
      { ref: 'refs/heads/own', new: first },
    ]
    const { signal } = site.ctx(admin)
    const report = await push(site.ctx(admin), repo, { commands, isAtomic: false, signal })
    expect(report.refs.map(({ refusal }) => refusal)).toEqual(['not writable', 'not writable', undefined])
    const snapshot = await world.deps.git.openFresh(repo.id)
    expect(snapshot.listRefs(`${HIDDEN_REFS}/`).map(({ name }) => name)).toEqual([kept])
  })

  test('moves are noted as those of a mirror', async () => {
    const first = await hub.commit('acme/moves', readme)
    await site.pulled(site.ctx(person), site.wish('acme/moves'))
    const second = await hub.commit('acme/moves', { 'a.txt': 'a' })
    await synced('moves')
    const { git_ref_log: l } = world.db.t
    const rows = await world.db.q
      .select()
      .from(l)
      .where(and(eq(l.repo_id, (await repoOf('moves')).id), eq(l.name, 'refs/heads/main')))
      .orderBy(l.id)
    const hex = (oid: Uint8Array | null) => oid && Buffer.from(oid).toString('hex')
    expect(rows.map((row) => [row.via, hex(row.old_oid), hex(row.new_oid)])).toEqual([
      ['mirror', null, first],
      ['mirror', first, second],
    ])
    expect((await getMirror(site.ctx(admin), address('moves'))).row.local_commit).toBe(second)
  })

  test('paths that cannot be kept here fail the pull, and all of them are listed', async () => {
    await hub.commit('acme/paths', { ...readme, 'back\\slash.txt': 'x', 'fine/x\\y': 'x' })
    const job = await site.pulled(site.ctx(person), site.wish('acme/paths'))
    expect(job).toMatchObject({ status: 'failed', problem: { code: 'validation-failed' } })
    expect(job.problem?.message).toContain('back\\\\slash.txt')
    expect(job.problem?.message).toContain('fine/x\\\\y')
    expect(job.problem?.message).not.toContain('README.md')
    expect(await codeOf(repoOf('paths'))).toBe('repo-not-found')
  })
})
