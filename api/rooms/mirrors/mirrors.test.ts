import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { codeOf, hours, pass, storedKeys } from '../../core/lfs/testing.ts'
import { mayUse } from '../../core/lfs/index.ts'
import { eachStore, givenRepo, givenToken, givenUser } from '../../testing.ts'
import type { UserActor } from '../../core/access/index.ts'
import { commit as commitTo } from '../content/index.ts'
import { getNamespace } from '../namespaces/get-namespace.ts'
import { viewNamespace } from '../namespaces/view.ts'
import { requireRepo } from '../repos/index.ts'
import { saveUpstreamToken } from '../upstreams/tokens.ts'
import { fromChunks } from '../../stores/storage/index.ts'
import { storeObject } from '../uploads/index.ts'
import { createPull } from './pull/create-pull.ts'
import { findMirror } from './queries.ts'
import { detachMirror, getMirror, pullMore, syncNow, updateMirror } from './settings/mirror.ts'
import type { Misbehaviour } from './testing/hub.ts'
import { givenHub, siteOf } from './testing/site.ts'
import { viewMirror } from './view.ts'

eachStore('mirrors', (world) => {
  const hub = givenHub(world)
  let person: UserActor
  const site = siteOf(world, hub)
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
  })

  const small = { 'README.md': '# Model\n', 'config.json': '{}' }
  const transfersLeft = async () => world.db.q.$count(world.db.t.transfers)

  test('a repo comes with its own commit, by way of a CDN that is sent no token', async () => {
    const bytes = randomBytes(100_000)
    const sha = await hub.commit('acme/plain', small, { large: { 'model.bin': bytes } })
    const job = await site.pulled(site.ctx(person), site.wish('acme/plain'))
    expect(job).toMatchObject({ status: 'succeeded', result: { commit: sha, files: 1 } })
    const repo = await requireRepo(
      site.ctx(person),
      { type: 'model', ns: 'acme', name: 'plain' },
      'repo.read',
    )
    expect(repo).toMatchObject({ headCommit: sha, visibility: 'public', isMirror: true, nsKind: 'org' })
    expect((await site.read(site.ctx(person), 'acme/plain', 'model.bin', sha)).equals(bytes)).toBe(true)
    expect(hub.cdnAsked.every(({ headers }) => headers.authorization === undefined)).toBe(true)
    expect(await transfersLeft()).toBe(0)
    expect(await storedKeys(world, 'transfers/')).toEqual([])
    const space = await getNamespace(site.ctx(person), 'acme')
    expect(viewNamespace(space)).toMatchObject({ kind: 'org', mirror_of: 'hub' })
    expect(viewNamespace(await getNamespace(site.ctx(person), 'puller'))).not.toHaveProperty('mirror_of')
    const { q, t } = world.db
    const rows = await q.select().from(t.audit)
    expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['pull.create', 'mirror.create']))
  })

  test('a namespace that was made for mirrors takes nothing else, and a name that is in use is left alone', async () => {
    await hub.commit('acme/other', small)
    await hub.commit('puller/theirs', small)
    await hub.commit('acme/plain2', small)
    const admin = await givenUser(world, 'mirror-admin', { isAdmin: true })
    await expect(givenRepo(world, admin, { ns: 'acme', name: 'own' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    const ctx = site.ctx(person)
    await expect(createPull(ctx, site.wish('puller/theirs'))).rejects.toMatchObject({ code: 'name-taken' })
    const taken = await givenRepo(world, person, { name: 'plain2' })
    await expect(createPull(ctx, site.wish('acme/plain2', { target_ns: 'puller' }))).rejects.toMatchObject({
      code: 'name-taken',
    })
    expect((await requireRepo(ctx, { type: 'model', ns: 'puller', name: 'plain2' }, 'repo.read')).id).toBe(
      taken.id,
    )
    await expect(
      createPull(ctx, site.wish('acme/other', { target_ns: 'mirror-admin' })),
    ).rejects.toMatchObject({ code: 'forbidden' })
    expect((await site.pulled(ctx, site.wish('acme/other', { target_ns: 'puller' }))).status).toBe(
      'succeeded',
    )
    expect(
      (await requireRepo(ctx, { type: 'model', ns: 'puller', name: 'other' }, 'repo.read')).isMirror,
    ).toBe(true)
  })

  test('a hash that an upstream names gives no right to bytes that are here', async () => {
    const secret = randomBytes(5000)
    const owner = await givenUser(world, 'secret-owner')
    const theirs = await givenRepo(world, owner, { name: 'secret', visibility: 'private' })
    const sha = await hub.commit('acme/names-secret', small, { large: { 'secret.bin': secret } })
    const [sha256 = ''] = [...hub.objects].find(([, bytes]) => bytes.equals(secret)) ?? []
    await storeObject(
      world.ctx(owner),
      { repoId: theirs.id, userId: owner.id },
      { sha256, sizeBytes: secret.length },
      fromChunks(secret),
    )
    hub.objects.delete(sha256)
    const job = await site.pulled(site.ctx(person), site.wish('acme/names-secret'))
    expect(job.status).not.toBe('succeeded')
    expect(await codeOf(site.read(site.ctx(person), 'acme/names-secret', 'secret.bin', sha))).toBe(
      'lfs-object-missing',
    )
    expect(await mayUse(world.db, world.ctx(person), sha256)).toBe(false)
    hub.objects.set(sha256, secret)
    const before = hub.cdnAsked.length
    const again = await site.pulled(site.ctx(person), site.wish('acme/names-secret'))
    expect(again.status).toBe('succeeded')
    expect(hub.cdnAsked.length).toBeGreaterThan(before)
    // What its puller may use is linked, and not transferred once more.
    await hub.commit('acme/same-bytes', small, { large: { 'copy.bin': secret } })
    const asked = hub.cdnAsked.length
    expect((await site.pulled(site.ctx(person), site.wish('acme/same-bytes'))).status).toBe('succeeded')
    expect(hub.cdnAsked.length).toBe(asked)
  })

  test('wrong bytes are never served, and the error names both hashes', async () => {
    const bytes = randomBytes(9000)
    await hub.commit('acme/wrong', small, { large: { 'a.bin': bytes } })
    let sent = 0
    hub.cdnMisbehave = (_, response) => {
      sent++
      response.writeHead(200, { 'Content-Length': bytes.length }).end(randomBytes(bytes.length))
      return true
    }
    const job = await site.pulled(site.ctx(person), site.wish('acme/wrong'))
    expect(job).toMatchObject({ status: 'failed', problem: { code: 'digest-mismatch' } })
    expect(sent).toBe(2)
    expect(await codeOf(site.read(site.ctx(person), 'acme/wrong', 'a.bin'))).toBe('lfs-object-missing')
    const { q, t } = world.db
    const [file] = await q.select().from(t.pull_files).where(eq(t.pull_files.job_id, job.id))
    expect(file).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/[0-9a-f]{64}.*[0-9a-f]{64}/s),
    })
  })

  test('an upstream that asks to wait is left alone, and the job is tried again', async () => {
    const bytes = randomBytes(3000)
    await hub.commit('acme/busy', small, { large: { 'a.bin': bytes } })
    const { id } = await createPull(site.ctx(person), site.wish('acme/busy'))
    hub.misbehave = ({ url }, response) => {
      if (!url?.includes('/resolve/')) return false
      response.writeHead(429, { RateLimit: '"resolvers";r=0;t=90' }).end()
      return true
    }
    const job = await site.run(site.ctx(person), id)
    expect(job).toMatchObject({ status: 'queued', problem: { code: 'upstream-throttled' } })
    expect(job.run_after.getTime()).toBeGreaterThanOrEqual(world.clock.now.getTime() + 90_000)
    hub.misbehave = undefined
    await expect(createPull(site.ctx(person), site.wish('acme/plain'))).rejects.toMatchObject({
      code: 'upstream-throttled',
    })
    pass(world, 100_000)
    expect((await site.run(site.ctx(person), id)).status).toBe('succeeded')
  })

  test('a gated repo is read by a saved token, as a private repo of its reader', async () => {
    const bytes = randomBytes(3000)
    await hub.commit('acme/gated', small, { large: { 'a.bin': bytes } })
    hub.gated.add('acme/gated')
    hub.misbehave = ({ url, headers }, response) => {
      if (url !== '/api/whoami-v2') return false
      response.writeHead(headers.authorization === 'Bearer good' ? 200 : 401).end('{"name":"ann"}')
      return true
    }
    const refused = await site.pulled(site.ctx(person), site.wish('acme/gated'))
    expect(refused).toMatchObject({ status: 'failed', problem: { code: 'gated' } })
    await saveUpstreamToken(site.ctx(person), 'hub', 'good')
    await expect(
      createPull(site.ctx(person), site.wish('acme/gated', { visibility: 'public' })),
    ).rejects.toMatchObject({ code: 'validation-failed' })
    expect((await site.pulled(site.ctx(person), site.wish('acme/gated'))).status).toBe('succeeded')
    const repo = await requireRepo(
      site.ctx(person),
      { type: 'model', ns: 'puller', name: 'gated' },
      'repo.read',
    )
    expect(repo.visibility).toBe('private')
    expect((await findMirror(world.db, repo.id))?.read_by).toBe(person.id)
    expect((await site.read(site.ctx(person), 'puller/gated', 'a.bin')).equals(bytes)).toBe(true)
    expect(hub.cdnAsked.every(({ headers }) => headers.authorization === undefined)).toBe(true)
  })

  test('a renamed repo is followed under its new name', async () => {
    const sha = await hub.commit('acme/new-name', small)
    hub.renamed.set('acme/old-name', 'acme/new-name')
    const job = await site.pulled(site.ctx(person), site.wish('acme/old-name'))
    expect(job).toMatchObject({ status: 'succeeded', result: { commit: sha } })
    const repo = await requireRepo(
      site.ctx(person),
      { type: 'model', ns: 'acme', name: 'new-name' },
      'repo.read',
    )
    expect(repo.mirror?.repo).toBe('acme/new-name')
  })

  test('readers see a new head once all of it is here; a rewritten history is followed', async () => {
    const admin = await givenUser(world, 'sync-admin', { isAdmin: true })
    const address = { type: 'model', ns: 'acme', name: 'moving' } as const
    const first = await hub.commit('acme/moving', small, { large: { 'a.bin': randomBytes(2000) } })
    await site.pulled(site.ctx(person), site.wish('acme/moving'))
    const next = randomBytes(4000)
    const second = await hub.commit('acme/moving', { 'more.txt': 'x' }, { large: { 'a.bin': next } })
    const head = async () => (await requireRepo(world.ctx(admin), address, 'repo.read')).headCommit
    hub.cdnMisbehave = (_, response) => {
      response.writeHead(404).end()
      return true
    }
    const failed = await site.run(site.ctx(), (await syncNow(site.ctx(admin), address)).id)
    expect(failed.status).toBe('failed')
    expect(await head()).toBe(first)
    expect((await getMirror(site.ctx(admin), address)).row).toMatchObject({
      state: 'failed',
      upstream_commit: second,
    })
    hub.cdnMisbehave = undefined
    const job = await site.run(site.ctx(), (await syncNow(site.ctx(admin), address)).id)
    expect(job.status).toBe('succeeded')
    expect(await head()).toBe(second)
    expect((await site.read(site.ctx(person), 'acme/moving', 'a.bin')).equals(next)).toBe(true)
    await hub.git('acme/moving', 'update-ref', 'refs/heads/main', first)
    const rewritten = await hub.commit('acme/moving', { 'third.txt': 'y' })
    expect((await site.run(site.ctx(), (await syncNow(site.ctx(admin), address)).id)).status).toBe(
      'succeeded',
    )
    expect(await head()).toBe(rewritten)
    // What was the head before still resolves.
    expect((await site.read(site.ctx(person), 'acme/moving', 'a.bin', second)).equals(next)).toBe(true)
    const mirror = await getMirror(site.ctx(admin), address)
    expect(mirror.previous.map(({ commit }) => commit).toSorted()).toEqual([first, second].toSorted())
  })

  test('an upstream that has lost the repo takes nothing away here', async () => {
    const admin = await givenUser(world, 'gone-admin', { isAdmin: true })
    const address = { type: 'model', ns: 'acme', name: 'gone' } as const
    const bytes = randomBytes(2000)
    await hub.commit('acme/gone', small, { large: { 'a.bin': bytes } })
    await site.pulled(site.ctx(person), site.wish('acme/gone'))
    const refused: Misbehaviour = ({ url }, response) => {
      if (!url?.includes('acme/gone')) return false
      response.writeHead(404, { 'X-Error-Code': 'RepoNotFound' }).end()
      return true
    }
    hub.misbehave = refused
    const sync = async () => site.run(site.ctx(), (await syncNow(site.ctx(admin), address)).id)
    expect((await sync()).status).toBe('failed')
    expect((await getMirror(site.ctx(admin), address)).row.state).toBe('failed')
    pass(world, hours(25))
    await sync()
    expect((await getMirror(site.ctx(admin), address)).row.state).toBe('failed')
    await sync()
    expect((await getMirror(site.ctx(admin), address)).row.state).toBe('upstream_gone')
    hub.misbehave = undefined
    await sync()
    const back = (await getMirror(site.ctx(admin), address)).row
    expect(back).toMatchObject({ state: 'idle', error: null, gone_since: null })
    // The count begins again. Three refusals within a day are not enough, and other failures do not count.
    hub.misbehave = refused
    for (let i = 0; i < 3; i++) await sync()
    expect((await getMirror(site.ctx(admin), address)).row.state).toBe('failed')
    pass(world, hours(25))
    hub.misbehave = (_, response) => {
      response.writeHead(500).end()
      return true
    }
    await sync()
    expect((await getMirror(site.ctx(admin), address)).row.state).toBe('failed')
    hub.misbehave = refused
    // The job that failed waits for its next attempt.
    pass(world, hours(1))
    await sync()
    const gone = await getMirror(site.ctx(admin), address)
    expect(gone.row.state).toBe('upstream_gone')
    expect(viewMirror(gone).error).toEqual({
      code: 'not-found',
      message: expect.stringContaining('acme/gone'),
    })
    expect((await site.read(site.ctx(person), 'acme/gone', 'a.bin')).equals(bytes)).toBe(true)
  })

  test('settings change when it syncs; a detached mirror takes commits and no more syncs', async () => {
    const admin = await givenUser(world, 'detach-admin', { isAdmin: true })
    const address = { type: 'model', ns: 'acme', name: 'detached' } as const
    await hub.commit('acme/detached', small, { large: { 'a.bin': randomBytes(2000) } })
    await site.pulled(site.ctx(person), site.wish('acme/detached', { selection: {} }))
    const ctx = site.ctx(admin)
    await expect(updateMirror(ctx, address, { schedule: 'nonsense' })).rejects.toMatchObject({
      code: 'validation-failed',
    })
    const daily = await updateMirror(ctx, address, { schedule: '30 2 * * *' })
    expect(daily.row.next_sync_at?.toISOString().slice(11, 16)).toBe('02:30')
    expect((await updateMirror(ctx, address, { tracking: 'manual' })).row.next_sync_at).toBeNull()
    await expect(updateMirror(site.ctx(person), address, { tracking: 'follow' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    const change = {
      title: 'own',
      operations: [{ op: 'add', path: 'x.txt', content: Buffer.from('x') }],
    } as const
    const push = () => commitTo(ctx, address, { ...change, operations: [...change.operations], via: 'api' })
    await expect(push()).rejects.toMatchObject({ code: 'read-only-mirror' })
    await pullMore(site.ctx(person), address, { all: true })
    expect((await detachMirror(ctx, address)).isMirror).toBe(false)
    await push()
    await expect(syncNow(ctx, address)).rejects.toMatchObject({ code: 'not-found' })
    const { q, t } = world.db
    const waiting = await q.select().from(t.jobs).where(eq(t.jobs.status, 'queued'))
    expect(waiting.filter(({ kind }) => kind === 'pull')).toEqual([])
    const actions = (await q.select().from(t.audit)).map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['mirror.update', 'mirror.detach']))
  })

  test('a fenced token makes no mirror under the name of an upstream’s owner', async () => {
    await hub.commit('acme/fenced', small)
    const { actor } = await givenToken(world, person, { fence: { namespaces: ['puller'] } })
    await expect(createPull(site.ctx(actor), site.wish('acme/fenced'))).rejects.toMatchObject({
      code: 'forbidden',
    })
    const job = await createPull(site.ctx(actor), site.wish('acme/fenced', { target_ns: 'puller' }))
    expect((await site.run(site.ctx(), job.id)).status).toBe('succeeded')
  })

  test('files beyond the quota of the namespace are not transferred', async () => {
    await hub.commit('acme/quota', small, { large: { 'a.bin': randomBytes(50_000) } })
    const rich = await givenUser(world, 'quota-owner')
    await world.db.write(({ q, t }) =>
      q.update(t.namespaces).set({ quota_bytes: 20_000 }).where(eq(t.namespaces.id, rich.id)),
    )
    const asked = hub.cdnAsked.length
    const job = await site.pulled(site.ctx(rich), site.wish('acme/quota', { target_ns: 'quota-owner' }))
    expect(job).toMatchObject({ status: 'failed', problem: { code: 'quota-exceeded' } })
    expect(hub.cdnAsked.length).toBe(asked)
  })
})
