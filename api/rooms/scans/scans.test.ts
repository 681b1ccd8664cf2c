import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { bytesReader, FileThreads } from '../../core/parsers/index.ts'
import type { scanBytes } from '../../core/scanning/index.ts'
import { loggedBy } from '../../core/jobs/testing.ts'
import { call, oldCall, pickle } from '../../core/scanning/testing/pickles.ts'
import { contentOf as largeContent, codeOf } from '../../core/lfs/testing.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { openRevision } from '../content/index.ts'
import { createBranch } from '../content/refs/branches.ts'
import { add, givenCommit } from '../content/testing.ts'
import type { Repo } from '../repos/index.ts'
import { deliverDue, givenWebhook, useReceiver } from '../webhooks/testing.ts'
import { verdictOn } from './job/judge.ts'
import { keepVerdicts } from './job/keep.ts'
import { listAllIssues } from './read/all-issues.ts'
import { getFileScan } from './read/file-scan.ts'
import { fileImports } from './read/imports.ts'
import { headScans, repoStatus } from './read/repo-status.ts'
import { revisionScan } from './read/revision-scan.ts'
import { fileVerdicts } from './read/statuses.ts'
import { givenFiles, scanDue } from './testing.ts'

const evil = call('os', 'system')
const estimator = call('sklearn.svm', 'SVC')
const harmless = call('collections', 'OrderedDict')

eachDatabase('what the scan finds', (world) => {
  let ada: UserActor
  let repo: Repo
  let made = 0

  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
  })
  beforeEach(async () => {
    world.deps.config.scan.strict = false
    repo = await givenRepo(world, ada, { name: `repo-${++made}` })
  })

  const fileScan = (path: string, revision = 'main', of: Repo = repo) =>
    getFileScan(world.ctx(ada), of, { revision, path })
  const statusOf = async (path: string, revision?: string) => (await fileScan(path, revision)).status
  const atHead = async (revision = '') =>
    revisionScan(world.ctx(ada), await openRevision(world.ctx(ada), repo.id, revision))
  const headStatus = async () => {
    const { commit } = await openRevision(world.ctx(ada), repo.id)
    return repoStatus(world.ctx(), commit, (await headScans(world.db, [repo.id])).get(repo.id))
  }

  test('is pending, then the verdict on each file, large or not', async () => {
    await givenFiles(world, ada, repo, { 'bad.pkl': evil, 'odd.pkl': estimator, 'good.pkl': harmless })
    await givenFiles(world, ada, repo, { 'bad.bin': pickle(evil, 'large') }, { large: true })
    await givenCommit(world, ada, repo, [add('notes.txt'), add('empty.pkl', '')])
    expect(await fileScan('bad.pkl')).toMatchObject({ status: 'pending', job: 'queued', imports: [] })
    expect(await headStatus()).toBe('pending')
    expect(await atHead()).toMatchObject({ isDone: false, status: 'pending', issues: [] })
    await scanDue(world)
    expect(await fileScan('bad.pkl')).toMatchObject({
      status: 'unsafe',
      isChecked: true,
      scanner: 'arsenal-scan/3',
      imports: [
        { module: 'os', name: 'system', safety: 'dangerous', meaning: expect.stringMatching(/\w{5}/) },
      ],
    })
    expect(await statusOf('bad.bin')).toBe('unsafe')
    expect(await statusOf('odd.pkl')).toBe('suspicious')
    expect(await fileScan('good.pkl')).toMatchObject({ status: 'safe', isChecked: true })
    expect(await fileScan('notes.txt')).toMatchObject({ status: 'safe', isChecked: false, imports: [] })
    expect(await fileScan('empty.pkl')).toMatchObject({ status: 'safe', isChecked: false })
    expect(await headStatus()).toBe('unsafe')
    expect(await atHead()).toMatchObject({
      isDone: true,
      status: 'unsafe',
      counts: { unsafe: 2, suspicious: 1, failed: 0, missing: 0 },
      issues: [
        { path: 'bad.bin', status: 'unsafe' },
        { path: 'bad.pkl', status: 'unsafe' },
        { path: 'odd.pkl', status: 'suspicious' },
      ],
    })
    expect(await codeOf(fileScan('none.pkl'))).toBe('entry-not-found')
    const { jobs } = world.db.t
    const [job] = await world.db.q
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.repo_id, repo.id), eq(jobs.kind, 'repo.scan')))
    expect((await loggedBy(world.db, job?.id ?? '')).slice(1, -1)).toEqual([
      '1 ref to look at.',
      expect.stringMatching(/^refs\/heads\/main at [0-9a-f]{40}: 2 unsafe, 1 suspicious\.$/),
      expect.stringMatching(/^Looked up \d+ files, and read \d+ contents that had no verdict\.$/),
    ])
  })

  test('equal bytes under names that are read in other ways have verdicts of their own', async () => {
    const old = oldCall('posix', 'system')
    await givenFiles(world, ada, repo, { 'a.txt': old })
    await scanDue(world)
    expect(await statusOf('a.txt')).toBe('safe')
    await givenFiles(world, ada, repo, { 'a.pkl': old })
    await scanDue(world)
    expect([await statusOf('a.txt'), await statusOf('a.pkl')]).toEqual(['safe', 'unsafe'])
  })

  test('with scan.strict what is suspicious is unsafe, without another scan', async () => {
    await givenFiles(world, ada, repo, { 'odd.pkl': call('sklearn.svm', 'NuSVC') })
    await scanDue(world)
    expect([await statusOf('odd.pkl'), await headStatus()]).toEqual(['suspicious', 'suspicious'])
    world.deps.config.scan.strict = true
    expect([await statusOf('odd.pkl'), await headStatus()]).toEqual(['unsafe', 'unsafe'])
    expect((await atHead()).issues).toEqual([{ path: 'odd.pkl', status: 'unsafe' }])
  })

  test('a content is looked at once, whatever number of repos hold it', async () => {
    const shared = pickle(evil, 'shared by two')
    const other = await givenRepo(world, ada)
    await givenFiles(world, ada, repo, { 'one.bin': shared }, { large: true })
    await givenFiles(world, ada, other, { 'folder/two.bin': shared }, { large: true })
    await scanDue(world)
    const { scan_results: r, scan_uses: u, jobs } = world.db.t
    const { sha256 } = largeContent(shared)
    expect(await world.db.q.$count(r, eq(r.content, sha256))).toBe(1)
    expect(await world.db.q.$count(u, eq(u.content, sha256))).toBe(2)
    expect((await fileScan('folder/two.bin', 'main', other)).status).toBe('unsafe')
    await givenFiles(world, ada, other, { 'three.bin': shared }, { large: true })
    await scanDue(world)
    const done = await world.db.q
      .select()
      .from(jobs)
      .where(and(eq(jobs.kind, 'repo.scan'), eq(jobs.repo_id, other.id)))
    expect(done.map(({ result }) => result?.['scanned'])).toContain(0)
  })

  test('other branches and earlier commits are looked at, too', async () => {
    await createBranch(world.ctx(ada), repo, { name: 'side', via: 'api' })
    const first = await givenFiles(world, ada, repo, { 'x.pkl': pickle(evil, '1') }, { branch: 'side' })
    await givenFiles(world, ada, repo, { 'x.pkl': harmless }, { branch: 'side' })
    await scanDue(world)
    expect([await statusOf('x.pkl', 'side'), await statusOf('x.pkl', first)]).toEqual(['safe', 'unsafe'])
    expect(await headStatus()).toBe('safe')
    expect(await atHead(first)).toMatchObject({ status: 'unsafe', isDone: true, issues: [{ path: 'x.pkl' }] })
  })

  test('a commit has only what it changes looked up, and all counts stay right', async () => {
    const files = {
      'a/u.pkl': pickle(evil, 'a'),
      'a/s.pkl': pickle(estimator, 'a'),
      'b/u.pkl': pickle(evil, 'b'),
    }
    await givenFiles(world, ada, repo, { ...files, 'b/plain.txt': Buffer.from('b') })
    await scanDue(world)
    const counts = async () => {
      await scanDue(world)
      const { issues, counts: found, isDone } = await atHead()
      expect(isDone).toBe(true)
      return [found.unsafe, found.suspicious, ...issues.map(({ path }) => path)]
    }
    await givenCommit(world, ada, repo, [add('c.txt')])
    expect(await counts()).toEqual([2, 1, 'a/u.pkl', 'b/u.pkl', 'a/s.pkl'])
    const { jobs } = world.db.t
    const done = await world.db.q.select().from(jobs).where(eq(jobs.repo_id, repo.id))
    expect(done.map(({ result }) => result?.['files'])).toContain(1)
    await givenFiles(world, ada, repo, { 'a/u.pkl': harmless })
    expect(await counts()).toEqual([1, 1, 'b/u.pkl', 'a/s.pkl'])
    await givenCommit(world, ada, repo, [{ op: 'copy', from: 'b/u.pkl', to: 'd/e/u.pkl' }])
    expect(await counts()).toEqual([2, 1, 'b/u.pkl', 'd/e/u.pkl', 'a/s.pkl'])
    await givenCommit(world, ada, repo, [{ op: 'delete', path: 'b', isRecursive: true }, add('b')])
    expect(await counts()).toEqual([1, 1, 'd/e/u.pkl', 'a/s.pkl'])
    await givenCommit(world, ada, repo, [{ op: 'delete', path: 'a', isRecursive: true }])
    expect(await counts()).toEqual([1, 0, 'd/e/u.pkl'])
  })

  test('a file that takes too much is failed, and never safe', async () => {
    await givenFiles(world, ada, repo, {
      'bomb.pkl': pickle('\x80\x04', Buffer.alloc(3_000_000, ']\x94', 'latin1'), '.'),
    })
    const { snapshot, commit } = await openRevision(world.ctx(ada), repo.id)
    const oid = (await snapshot.entryAt(commit, 'bomb.pkl'))?.oid ?? ''
    const narrow = new FileThreads<Parameters<typeof scanBytes>[0], ReturnType<typeof scanBytes>>(
      new URL('../../core/scanning/scan.worker.ts', import.meta.url),
      { threads: 1, deadlineMs: 120_000, memoryMb: 16 },
    )
    const bytes = await snapshot.readBlob(oid, 2 ** 24)
    const verdict = await verdictOn(
      { signal: new AbortController().signal },
      { content: oid, reading: 'x.pkl' },
      bytesReader(bytes ?? expect.fail('no bytes')),
      (...args) => narrow.run(...args),
    )
    expect(verdict).toMatchObject({ status: 'failed', problems: [{ code: 'resource_limit' }] })
    await world.db.write((tx) =>
      keepVerdicts(tx, world.ctx(), repo.id, { kept: verdict ? [verdict] : [], known: [] }),
    )
    await scanDue(world)
    expect(await fileScan('bomb.pkl')).toMatchObject({
      status: 'failed',
      problems: [{ code: 'resource_limit', severity: 'error' }],
    })
    expect(await headStatus()).toBe('failed')
  })

  test('large files whose bytes are gone are pending, and looked at when they are back', async () => {
    const content = pickle(evil, 'lost and found')
    await givenFiles(world, ada, repo, { 'lost.bin': content }, { large: true })
    const { lfs_objects: o } = world.db.t
    const [object] = await world.db.q
      .select()
      .from(o)
      .where(eq(o.sha256, largeContent(content).sha256))
    if (!object) return expect.fail('no object')
    await world.db.write(({ q, t }) => q.delete(t.lfs_objects).where(eq(t.lfs_objects.sha256, object.sha256)))
    await scanDue(world)
    expect([await statusOf('lost.bin'), await headStatus()]).toEqual(['pending', 'pending'])
    await world.db.write(({ q, t }) => q.insert(t.lfs_objects).values(object))
    await givenCommit(world, ada, repo, [add('more')])
    await scanDue(world)
    expect([await statusOf('lost.bin'), await headStatus()]).toEqual(['unsafe', 'unsafe'])
  })

  test('the imports of many files are cut to a bound, the worst of each stays', async () => {
    await givenFiles(world, ada, repo, {
      'a.pkl': pickle(harmless, evil),
      'b.pkl': pickle(harmless, evil, 'b'),
    })
    await scanDue(world)
    const { snapshot, commit } = await openRevision(world.ctx(ada), repo.id)
    const files = await Promise.all(
      ['a.pkl', 'b.pkl'].map(async (path) => {
        const entry = (await snapshot.entryAt(commit, path)) ?? expect.fail('no file')
        return { ...entry, path, sizeBytes: 99 }
      }),
    )
    const verdicts = await fileVerdicts(world.ctx(ada), files)
    const names = async (max: number) =>
      [...(await fileImports(world.db, verdicts, max)).values()].map((all) => all.map(({ name }) => name))
    expect(await names(9)).toEqual([
      ['system', 'OrderedDict'],
      ['system', 'OrderedDict'],
    ])
    expect(await names(2)).toEqual([['system', 'OrderedDict'], ['system']])
  })

  test('names that no database takes are kept in readable form', async () => {
    await givenFiles(world, ada, repo, { 'nul.pkl': pickle('\x80\x04\x8c\x03a\x00b\x8c\x01c\x93.') })
    await scanDue(world)
    expect((await fileScan('nul.pkl')).imports).toMatchObject([{ module: 'a\uFFFDb', name: 'c' }])
  })

  test('who may not read the repo finds nothing, as where there is none', async () => {
    await givenFiles(world, ada, repo, { 'bad.pkl': evil })
    await scanDue(world)
    const bob = await givenUser(world, `bob-${made}`)
    const ask = (name: string) =>
      getFileScan(world.ctx(bob), { type: 'model', ns: 'ada', name }, { revision: 'main', path: 'bad.pkl' })
    expect([await codeOf(ask(repo.name)), await codeOf(ask('absent'))]).toEqual([
      'repo-not-found',
      'repo-not-found',
    ])
  })

  describe('of all repos', () => {
    test('is listed for admins alone, page by page, without deleted repos and other branches', async () => {
      const admin = await givenUser(world, `admin-${made}`, { isAdmin: true })
      await createBranch(world.ctx(ada), repo, { name: 'side', via: 'api' })
      await givenFiles(world, ada, repo, { 'side.pkl': evil }, { branch: 'side' })
      await givenFiles(world, ada, repo, { 'u.pkl': evil, 'v.pkl': evil, 's.pkl': estimator })
      await scanDue(world)
      const mine = async (status: 'unsafe' | 'suspicious') => {
        const paths: string[] = []
        let after
        do {
          const page: Awaited<ReturnType<typeof listAllIssues>> = await listAllIssues(
            world.ctx(admin),
            status,
            {
              after,
              limit: 1,
            },
          )
          expect(page.items.length).toBeLessThanOrEqual(1)
          paths.push(...page.items.filter((item) => item.repo.name === repo.name).map(({ path }) => path))
          after = page.next
        } while (after)
        return paths.toSorted()
      }
      expect(await mine('unsafe')).toEqual(['u.pkl', 'v.pkl'])
      expect(await mine('suspicious')).toEqual(['s.pkl'])
      world.deps.config.scan.strict = true
      expect(await mine('unsafe')).toEqual(['s.pkl', 'u.pkl', 'v.pkl'])
      expect(await mine('suspicious')).toEqual([])
      expect(await codeOf(listAllIssues(world.ctx(ada), 'unsafe', { limit: 1 }))).toBe('forbidden')
    })
  })

  describe('is sent to webhooks', () => {
    const receiver = useReceiver(world)

    test('when a file of the default branch turns unsafe, and once', async () => {
      await givenWebhook(world, ada, { url: receiver.url, watched: [{ repo }], events: ['repo'] })
      const told = async () => {
        await scanDue(world)
        await deliverDue(world)
        return receiver.received.splice(0).map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      }
      await createBranch(world.ctx(ada), repo, { name: 'side', via: 'api' })
      await givenFiles(world, ada, repo, { 'b.pkl': evil }, { branch: 'side' })
      expect(await told()).toEqual([])
      const commit = await givenFiles(world, ada, repo, { 'a.pkl': evil, 'odd.pkl': estimator })
      expect(await told()).toMatchObject([
        {
          event: { action: 'update', scope: 'repo' },
          repo: { name: `ada/${repo.name}` },
          scan: { commit, status: 'unsafe', files: [{ path: 'a.pkl', status: 'unsafe' }] },
        },
      ])
      await givenCommit(world, ada, repo, [add('notes')])
      expect(await told()).toEqual([])
      await givenFiles(world, ada, repo, { 'c.pkl': pickle(evil, 'c') })
      expect(await told()).toMatchObject([{ scan: { files: [{ path: 'c.pkl', status: 'unsafe' }] } }])
    })
  })
})
