import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { unreachable } from '../../core/git/index.ts'
import { enqueue } from '../../core/jobs/index.ts'
import { runJobs } from '../../core/jobs/testing.ts'
import { contentOf as largeContent, hours, pass, sweepRun } from '../../core/lfs/testing.ts'
import { call, pickle } from '../../core/scanning/testing/pickles.ts'
import { ForeignKeyViolation, type Tx } from '../../stores/db/index.ts'
import { after, eachDatabase, givenRepo, givenUser, hold, untilBlocked } from '../../testing.ts'
import { superSquash } from '../content/commit/super-squash.ts'
import { givenCommit } from '../content/testing.ts'
import { deleteRepo, repoPurge, type Repo } from '../repos/index.ts'
import { repoScan, scanRefresh } from './job/jobs.ts'
import { scanRefs } from './job/scan-refs.ts'
import { getFileScan } from './read/file-scan.ts'
import { headScans } from './read/repo-status.ts'
import { scanRejudge } from './rules/rejudge-job.ts'
import { setImportRule } from './rules/rules.ts'
import { unusedScans } from './sweep.ts'
import { givenFiles, scanDue } from './testing.ts'

const evil = call('os', 'system')
const harmless = call('collections', 'OrderedDict')

eachDatabase('scans beside other changes', (world) => {
  let ada: UserActor
  let repo: Repo
  let made = 0

  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
  })
  beforeEach(async () => {
    repo = await givenRepo(world, ada, { name: `race-${++made}` })
    await scanDue(world)
  })

  /** Runs a scan; before its `nth` transaction, from 1, something else happens. */
  async function scanWith(nth: number, meanwhile: () => Promise<unknown>) {
    let count = 0
    return scanRefs(world.ctx(), repo.id, {
      progress: async () => undefined,
      write: async <T>(change: (tx: Tx) => Promise<T>) => {
        if (++count === nth) await meanwhile()
        return world.db.write(change)
      },
    })
  }
  const head = async () => (await headScans(world.db, [repo.id])).get(repo.id)
  const results = ({ sha256 }: { sha256: string }) =>
    world.db.q.$count(world.db.t.scan_results, eq(world.db.t.scan_results.content, sha256))

  test('two workers that meet one content keep one verdict, and note both repos', async () => {
    const other = await givenRepo(world, ada)
    const shared = pickle(evil, 'met by two')
    await givenFiles(world, ada, repo, { 'a.bin': shared }, { large: true })
    await givenFiles(world, ada, other, { 'b.bin': shared }, { large: true })
    const job = {
      progress: async () => undefined,
      write: <T>(c: (tx: Tx) => Promise<T>) => world.db.write(c),
    }
    const runs = [repo, repo, other].map(({ id }) => scanRefs(world.ctx(), id, job))
    await Promise.all(runs)
    const { scan_uses: u } = world.db.t
    expect(await world.db.q.$count(u, eq(u.content, largeContent(shared).sha256))).toBe(2)
    expect(await results(largeContent(shared))).toBe(1)
  })

  test('a head that moves during a scan keeps the verdict of its own scan', async () => {
    await givenFiles(world, ada, repo, { 'a.pkl': evil })
    let next = ''
    await scanWith(2, async () => {
      next = await givenFiles(world, ada, repo, { 'a.pkl': harmless })
    })
    expect((await head())?.commit).not.toBe(next)
    await scanDue(world)
    expect(await head()).toMatchObject({ commit: next, unsafe: 0 })
  })

  test('a scan that ends late does not take the place of a later one', async () => {
    await givenFiles(world, ada, repo, { 'a.pkl': pickle(evil, 'late') })
    let next = ''
    await scanWith(2, async () => {
      next = await givenFiles(world, ada, repo, { 'a.pkl': harmless })
      await scanDue(world)
    })
    expect(await head()).toMatchObject({ commit: next, unsafe: 0 })
    const { scan_issues: i } = world.db.t
    expect(await world.db.q.$count(i, eq(i.repo_id, repo.id))).toBe(0)
  })

  const rule = async (name: string, safety: 'innocuous' | 'dangerous') => {
    const root = await givenUser(world, `root-${name.toLowerCase()}-${++made}`, { isAdmin: true })
    return setImportRule(world.ctx(root), { module: 'own', name }, { safety })
  }

  test('a scan that begins before an import is ruled on counts by the rule', async () => {
    await givenFiles(world, ada, repo, { 'a.pkl': call('own', 'Before') })
    await scanWith(2, async () => {
      await rule('Before', 'dangerous')
      await runJobs(world.deps, [scanRejudge])
    })
    expect(await head()).toMatchObject({ unsafe: 1, suspicious: 0 })
  })

  test('a scan that begins before results are judged again counts by the rule', async () => {
    const other = await givenRepo(world, ada)
    const shared = call('own', 'Meanwhile')
    await givenFiles(world, ada, other, { 'a.pkl': shared })
    await scanDue(world)
    await givenFiles(world, ada, repo, { 'b.pkl': shared })
    await rule('Meanwhile', 'dangerous')
    await scanWith(1, async () => runJobs(world.deps, [scanRejudge]))
    expect(await head()).toMatchObject({ unsafe: 1, suspicious: 0 })
  })

  test('a result that was written by an earlier rule is judged again when it is met', async () => {
    await givenFiles(world, ada, repo, { 'a.pkl': call('own', 'Written') })
    await scanDue(world)
    await rule('Written', 'dangerous')
    await scanWith(0, async () => undefined)
    expect(await head()).toMatchObject({ unsafe: 1 })
    expect(await getFileScan(world.ctx(ada), repo, { revision: 'main', path: 'a.pkl' })).toMatchObject({
      status: 'unsafe',
    })
    await runJobs(world.deps, [scanRejudge])
  })

  /** A scan that has written what `statement` says, and has not committed it when a rule is to change. */
  async function ruleAtEndOf(statement: RegExp, change: () => Promise<unknown>) {
    const scan = (ctx: Ctx) =>
      scanRefs(ctx, repo.id, { progress: async () => undefined, write: (tx) => ctx.db.write(tx) })
    // A transaction of SQLite is the only writer from its beginning.
    const held =
      world.db.engine === 'sqlite'
        ? { resume: () => scan(world.ctx()) }
        : await hold(world.ctx(), after(statement), scan)
    const ruled = world.db.engine === 'sqlite' ? undefined : change()
    if (ruled) await untilBlocked(world.db, ruled)
    await held.resume()
    await (ruled ?? change())
    await runJobs(world.deps, [scanRejudge])
  }

  test.for([
    ['verdicts are written', /^insert into "scan_results"/, 'Verdict'],
    ['a ref is recorded', /^insert into "scan_refs"/, 'Recorded'],
  ] as const)('a rule that changes while %s is followed in them', async ([, statement, name]) => {
    await givenFiles(world, ada, repo, { 'a.pkl': call('own', name) })
    await ruleAtEndOf(statement, () => rule(name, 'dangerous'))
    expect(await head()).toMatchObject({ unsafe: 1, suspicious: 0 })
    expect(await getFileScan(world.ctx(ada), repo, { revision: 'main', path: 'a.pkl' })).toMatchObject({
      status: 'unsafe',
    })
  })

  test('a rule that changes while results are judged by the one before is followed in them', async () => {
    await givenFiles(world, ada, repo, { 'a.pkl': call('own', 'Again') })
    await scanDue(world)
    await rule('Again', 'innocuous')
    await givenFiles(world, ada, repo, { 'b.pkl': call('own', 'Again') })
    await ruleAtEndOf(/^update "scan_results" set "status"/, () => rule('Again', 'dangerous'))
    expect(await head()).toMatchObject({ unsafe: 2, suspicious: 0 })
  })

  test('a ref that moves while a job runs has a job of its own', async () => {
    await givenFiles(world, ada, repo, { 'a.pkl': pickle(evil, 'one') })
    await scanDue(world)
    const next = await givenFiles(world, ada, repo, { 'b.pkl': pickle(evil, 'two') })
    await scanDue(world)
    expect(await head()).toMatchObject({ commit: next, unsafe: 2 })
  })

  test('a repo that is purged during a scan leaves nothing behind', async () => {
    const lost = pickle(evil, 'purged')
    await givenFiles(world, ada, repo, { 'a.bin': lost }, { large: true })
    const scan = scanWith(1, async () => {
      await deleteRepo(world.ctx(ada), repo)
      pass(world, world.deps.config.repos.restore_window + 1)
      await runJobs(world.deps, [repoPurge])
    })
    await expect(scan).rejects.toBeInstanceOf(ForeignKeyViolation)
    await scanDue(world)
    const { jobs, scan_uses: u } = world.db.t
    const of = await world.db.q.select().from(jobs).where(eq(jobs.repo_id, repo.id))
    expect(of.filter(({ kind }) => kind === 'repo.scan').map(({ status }) => status)).not.toContain('failed')
    expect([await results(largeContent(lost)), await world.db.q.$count(u, eq(u.repo_id, repo.id))]).toEqual([
      0, 0,
    ])
  })

  test('a later scanner looks at everything again, and goes on where it was cut short', async () => {
    const other = await givenRepo(world, ada)
    await givenFiles(world, ada, repo, { 'a.pkl': pickle(evil, 'again 1') })
    await givenFiles(world, ada, other, { 'b.pkl': pickle(evil, 'again 2') })
    await scanDue(world)
    const { scan_refs: s, jobs } = world.db.t
    await world.db.write(async ({ q, t }) => {
      await q.update(t.scan_results).set({ version: 0, status: 'safe', imports: [] })
      await q.update(t.scan_refs).set({ version: 0 })
    })
    await scanRefs(world.ctx(), repo.id, {
      progress: async () => undefined,
      write: <T>(change: (tx: Tx) => Promise<T>) => world.db.write(change),
    })
    expect(await world.db.q.$count(s, eq(s.version, 0))).toBeGreaterThan(0)
    const { id } = await world.db.write((tx) => enqueue(tx, world.ctx(), scanRefresh, {}))
    await runJobs(world.deps, [scanRefresh])
    const [job] = await world.db.q.select().from(jobs).where(eq(jobs.id, id))
    expect(job).toMatchObject({ status: 'succeeded' })
    expect(await world.db.q.$count(s, eq(s.version, 0))).toBe(0)
    for (const [at, path] of [
      [repo, 'a.pkl'],
      [other, 'b.pkl'],
    ] as const)
      expect(await getFileScan(world.ctx(ada), at, { revision: 'main', path })).toMatchObject({
        status: 'unsafe',
      })
    const again = await world.db.write((tx) => enqueue(tx, world.ctx(), scanRefresh, {}))
    await runJobs(world.deps, [scanRefresh])
    const [idle] = await world.db.q.select().from(jobs).where(eq(jobs.id, again.id))
    expect(idle?.result).toEqual({ repos: 0 })
  })

  test('gc forgets verdicts on what no repo holds, and keeps all others', async () => {
    const [kept, squashed, shared] = ['kept', 'squashed', 'shared'].map((word) => pickle(evil, word))
    if (!kept || !squashed || !shared) return expect.fail('no files')
    const other = await givenRepo(world, ada)
    await givenFiles(world, ada, other, { 'shared.bin': shared }, { large: true })
    await givenFiles(world, ada, repo, { 'gone.bin': squashed, 'shared.bin': shared }, { large: true })
    await givenFiles(world, ada, repo, { 'small.pkl': pickle(evil, 'small') })
    const snapshot = await world.deps.git.openFresh(repo.id)
    const before = snapshot.findRef('refs/heads/main')?.commit ?? ''
    const small = (await snapshot.entryAt(before, 'small.pkl'))?.oid ?? ''
    await scanDue(world)
    expect([await results({ sha256: small }), await results(largeContent(squashed))]).toEqual([1, 1])
    const gone = ['gone.bin', 'shared.bin', 'small.pkl'].map((path) => ({ op: 'delete' as const, path }))
    await givenCommit(world, ada, repo, gone)
    await givenFiles(world, ada, repo, { 'kept.bin': kept }, { large: true })
    await superSquash(world.ctx(ada), repo, 'main')
    await scanDue(world)
    pass(world, world.deps.config.gc.grace_period + hours(2))
    await unreachable.run(world.ctx(), sweepRun(world))
    expect(await unusedScans.run(world.ctx(), sweepRun(world, true))).toEqual({
      forgotten: expect.any(Number),
    })
    await unusedScans.run(world.ctx(), sweepRun(world))
    expect([await results({ sha256: small }), await results(largeContent(squashed))]).toEqual([0, 0])
    expect([await results(largeContent(shared)), await results(largeContent(kept))]).toEqual([1, 1])
    expect(await getFileScan(world.ctx(ada), repo, { revision: 'main', path: 'kept.bin' })).toMatchObject({
      status: 'unsafe',
    })
    await deleteRepo(world.ctx(ada), repo)
    pass(world, world.deps.config.repos.restore_window + hours(2))
    await runJobs(world.deps, [repoPurge])
    await unusedScans.run(world.ctx(), sweepRun(world))
    expect([await results(largeContent(shared)), await results(largeContent(kept))]).toEqual([1, 0])
  })

  test('a job of a kind that is cancelled stops, and the next goes on', async () => {
    await givenFiles(world, ada, repo, { 'a.pkl': pickle(evil, 'cancelled') })
    const cancel = new AbortController()
    const ctx = { ...world.ctx(), signal: cancel.signal }
    const stopped = scanRefs(ctx, repo.id, {
      progress: async () => undefined,
      write: async <T>(change: (tx: Tx) => Promise<T>) => {
        cancel.abort(new Error('cancelled'))
        cancel.signal.throwIfAborted()
        return world.db.write(change)
      },
    })
    await expect(stopped).rejects.toThrow('cancelled')
    await runJobs(world.deps, [repoScan])
    expect(await head()).toMatchObject({ unsafe: 1 })
  })
})
