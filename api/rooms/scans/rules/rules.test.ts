import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { codeOf } from '../../../core/lfs/testing.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { call } from '../../../core/scanning/testing/pickles.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { openRevision } from '../../content/index.ts'
import { createBranch } from '../../content/refs/branches.ts'
import type { Repo } from '../../repos/index.ts'
import { deliverDue, givenWebhook, useReceiver } from '../../webhooks/testing.ts'
import { getFileScan } from '../read/file-scan.ts'
import { revisionScan } from '../read/revision-scan.ts'
import { givenFiles, scanDue } from '../testing.ts'
import { underRules } from './apply.ts'
import { scanRejudge } from './rejudge-job.ts'
import { deleteImportRule, listImportRules, setImportRule } from './rules.ts'

const estimator = call('sklearn.svm', 'SVC')
const svc = { module: 'sklearn.svm', name: 'SVC' }

eachDatabase('what admins say of imports', (world) => {
  let ada: UserActor
  let root: UserActor
  let repo: Repo
  let made = 0

  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    root = await givenUser(world, 'root', { isAdmin: true })
  })
  beforeEach(async () => {
    repo = await givenRepo(world, ada, { name: `repo-${++made}` })
    for (const rule of await listImportRules(world.ctx(root))) await remove(rule)
  })

  const set = async (safety: 'innocuous' | 'dangerous', of = svc, note?: string) => {
    const rule = await setImportRule(world.ctx(root), of, { safety, note })
    await runJobs(world.deps, [scanRejudge])
    return rule
  }
  const remove = async (of = svc) => {
    await deleteImportRule(world.ctx(root), of)
    await runJobs(world.deps, [scanRejudge])
  }
  const fileScan = (path: string, revision = 'main') => getFileScan(world.ctx(ada), repo, { revision, path })
  const atHead = async () => revisionScan(world.ctx(ada), await openRevision(world.ctx(ada), repo.id, ''))

  test('an import that is allowed makes files safe that have no other, and back, without reading them', async () => {
    await givenFiles(world, ada, repo, {
      'svc.pkl': estimator,
      'both.pkl': Buffer.concat([estimator, call('odd', 'thing')]),
      'bad.pkl': Buffer.concat([estimator, call('os', 'system')]),
    })
    await scanDue(world)
    expect(await atHead()).toMatchObject({ status: 'unsafe', counts: { unsafe: 1, suspicious: 2 } })

    expect(await set('innocuous', svc, 'ours')).toMatchObject({ ...svc, note: 'ours', setBy: 'root' })
    expect(await fileScan('svc.pkl')).toMatchObject({
      status: 'safe',
      imports: [{ ...svc, safety: 'innocuous', found: 'suspicious' }],
    })
    expect(await fileScan('both.pkl')).toMatchObject({
      status: 'suspicious',
      imports: [{ module: 'odd', safety: 'suspicious' }, { safety: 'innocuous' }],
    })
    expect(await atHead()).toMatchObject({
      status: 'unsafe',
      counts: { unsafe: 1, suspicious: 1 },
      issues: [{ path: 'bad.pkl' }, { path: 'both.pkl' }],
    })

    await remove()
    expect(await fileScan('svc.pkl')).toMatchObject({ status: 'suspicious', imports: [svc] })
    expect((await fileScan('svc.pkl')).imports[0]).not.toHaveProperty('found')
    expect(await atHead()).toMatchObject({ counts: { unsafe: 1, suspicious: 2 } })
  })

  test('counts for what is scanned later, on every ref', async () => {
    await set('innocuous')
    await givenFiles(world, ada, repo, { 'svc.pkl': call('sklearn.svm', 'SVC', 'later') })
    await createBranch(world.ctx(ada), repo, { name: 'next', via: 'api' })
    await givenFiles(world, ada, repo, { 'more.pkl': call('sklearn.svm', 'SVC', 'next') }, { branch: 'next' })
    await scanDue(world)
    expect(await atHead()).toMatchObject({ status: 'safe', issues: [] })
    expect((await fileScan('more.pkl', 'next')).status).toBe('safe')
    await set('dangerous')
    expect((await fileScan('more.pkl', 'next')).status).toBe('unsafe')
    expect((await atHead()).status).toBe('unsafe')
  })

  describe('with a webhook', () => {
    const receiver = useReceiver(world)

    test('tells of files that turn unsafe', async () => {
      await givenFiles(world, ada, repo, { 'svc.pkl': call('sklearn.svm', 'SVC', 'hook') })
      await scanDue(world)
      await givenWebhook(world, ada, { url: receiver.url, watched: [{ repo }], events: ['repo'] })
      await set('dangerous')
      await deliverDue(world)
      expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
        {
          event: { action: 'update', scope: 'repo' },
          scan: { files: [{ path: 'svc.pkl', status: 'unsafe' }] },
        },
      ])
    })
  })

  test('nothing allows what can run code; only admins have a say', async () => {
    expect(await codeOf(set('innocuous', { module: 'os', name: 'system' }))).toBe('validation-failed')
    expect(await codeOf(setImportRule(world.ctx(ada), svc, { safety: 'dangerous' }))).toBe('forbidden')
    expect(await codeOf(listImportRules(world.ctx(ada)))).toBe('forbidden')
    expect(await codeOf(deleteImportRule(world.ctx(ada), svc))).toBe('forbidden')
    expect(await codeOf(deleteImportRule(world.ctx(root), svc))).toBe('not-found')
  })
})

test('of a file with more imports than are kept, the others keep it as suspicious as they may be', () => {
  const odd = (n: number) => ({ module: 'odd', name: `n${n}`, safety: 'suspicious' as const })
  const imports = Array.from({ length: 1000 }, (_, n) => odd(n))
  const rules = new Map(imports.map(({ module, name }) => [`${module} ${name}`, 'innocuous' as const]))
  const found = { status: 'suspicious' as const, imports, problems: [] }
  expect(underRules(rules, found).status).toBe('suspicious')
  expect(underRules(rules, { ...found, imports: imports.slice(1) }).status).toBe('safe')
  expect(underRules(new Map(), underRules(rules, found))).toEqual(found)
  expect(underRules(rules, { ...found, status: 'failed' }).status).toBe('failed')
})
