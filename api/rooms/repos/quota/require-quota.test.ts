import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { buildApp } from '../../../app/app.ts'
import { ChunkSite, ready, shard, xorb, xorbHash } from '../../chunk/testing.ts'
import { add, givenCommit } from '../../content/testing.ts'
import { gitText } from '../../../core/git/testing.ts'
import { listen } from '../../../surfaces/server/listen.ts'
import { asked, givenContent } from '../../../core/lfs/testing.ts'
import { setQuota } from '../../namespaces/index.ts'
import { getNamespace } from '../../namespaces/get-namespace.ts'
import { eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../../testing.ts'
import { givenLink, givenObject } from '../../uploads/testing.ts'
import { flushDownloads } from '../stats/downloads.ts'
import { transferRepo } from '../lifecycle/move.ts'
import type { Repo } from '../queries.ts'
import { requireQuota } from './require-quota.ts'

const KB = 1000

eachDatabase('quotas', (world) => {
  let server: Server
  let origin = ''
  let root: UserActor
  let owner: UserActor
  let secret = ''
  let repo: Repo

  beforeAll(async () => {
    server = await listen(buildApp(world.deps, ready), '127.0.0.1:0')
    origin = `127.0.0.1:${(server.address() as AddressInfo).port}`
    root = await givenUser(world, 'root', { isAdmin: true })
    owner = await givenUser(world, 'owner')
    secret = (await givenToken(world, owner)).secret
    repo = await givenRepo(world, owner, { name: 'full', visibility: 'public' })
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const storage = async (actor: UserActor, ns = 'owner') => (await getNamespace(world.ctx(actor), ns)).storage
  /** Leaves the namespace this much room. */
  const leave = async (bytes: number | null, ns = 'owner') => {
    const { usedBytes = 0 } = (await storage(owner, ns)) ?? {}
    await setQuota(world.ctx(root), ns, bytes === null ? null : usedBytes + bytes)
  }
  const call = async (method: string, path: string, body?: unknown, type = 'application/json') => {
    const response = await fetch(`http://${origin}${path}`, {
      method,
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': type },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text }
  }

  const push = (cwd: string) =>
    new Promise<string>((resolve) =>
      execFile(
        'git',
        ['push', 'origin', 'main'],
        { cwd, env: { PATH: process.env['PATH'], HOME: world.dir } },
        (error, out, text) => resolve(`${error ? 'refused' : 'taken'} ${out}${text}`),
      ),
    )

  test('a namespace holds its packs and each large file once, and only members see the sum', async () => {
    const ada = await givenUser(world, 'ada')
    const reader = await givenUser(world, 'reader')
    await givenOrg(world, 'acme', ada, [[reader, 'read']])
    const [one, two] = [
      await givenRepo(world, ada, { ns: 'acme', name: 'one' }),
      await givenRepo(world, ada, { ns: 'acme', name: 'two' }),
    ]
    const packs = (await storage(ada, 'acme'))?.usedBytes ?? 0
    expect(packs).toBeGreaterThan(100)
    const shared = await givenObject(world, ada, one, givenContent(5 * KB))
    for (const each of [one, two]) await givenLink(world, each, shared)
    expect(await storage(reader, 'acme')).toEqual({
      usedBytes: packs + 5 * KB,
      pendingBytes: 0,
      quotaBytes: null,
    })
    expect(await storage(owner, 'acme')).toBeUndefined()
    const fence = { repos: [{ type: 'model' as const, ns: 'acme', name: 'one' }] }
    const { actor } = await givenToken(world, ada, { fence })
    expect(await storage({ ...ada, auth: actor.auth }, 'acme')).toBeUndefined()
  })

  test('an object that the namespace holds needs no room, which reveals nothing to others', async () => {
    const held = await givenObject(world, owner, repo, givenContent(5 * KB))
    await givenLink(world, repo, held)
    await leave(KB)
    const objects = [held]
    await requireQuota(world.ctx(owner), repo.id, { bytes: KB, objects })
    await expect(requireQuota(world.ctx(owner), repo.id, { bytes: KB + 1, objects })).rejects.toMatchObject({
      code: 'quota-exceeded',
      detail: expect.stringMatching(/^owner holds \d+ of at most \d+ bytes, and this would add 1001\.$/),
    })
    const stranger = await givenUser(world, 'stranger')
    await expect(requireQuota(world.ctx(stranger), repo.id, { objects })).rejects.toMatchObject({
      detail: 'owner has no room for 5000 more bytes.',
    })
    await leave(null)
    await requireQuota(world.ctx(stranger), repo.id, { bytes: 1e15, objects })
  })

  test('what several repos hold counts once, and what came by a commit since the last count counts as well', async () => {
    const ada = await givenUser(world, 'lovelace')
    await givenOrg(world, 'twice', ada)
    const one = await givenRepo(world, ada, { ns: 'twice', name: 'one' })
    const two = await givenRepo(world, ada, { ns: 'twice', name: 'two' })
    const commitLarge = async (to: Repo, path: string, bytes = givenContent(5 * KB)) => {
      const large = await givenObject(world, ada, to, bytes)
      await givenCommit(world, ada, to, [{ op: 'add-lfs', path, ...large }])
      return large
    }
    const room = (bytes: number) =>
      requireQuota(world.ctx(ada), one.id, { bytes }).then(
        () => true,
        () => false,
      )
    const shared = await commitLarge(one, 'a.bin')
    await commitLarge(two, 'b.bin', shared)
    const before = (await storage(ada, 'twice'))?.usedBytes ?? 0
    await setQuota(world.ctx(root), 'twice', before + 20 * KB)
    expect([await room(20 * KB), await room(20 * KB + 1)]).toEqual([true, false])
    await commitLarge(two, 'c.bin')
    const left = before + 20 * KB - ((await storage(ada, 'twice'))?.usedBytes ?? 0)
    expect(left).toBeLessThan(15 * KB)
    expect([await room(left), await room(left + 1)]).toEqual([true, false])
  })

  test('every way in answers 413 before bytes are moved', async () => {
    await leave(20 * KB)
    const large = givenContent(30 * KB)
    const { sha256, sizeBytes: size } = large
    const hub = `/api/models/owner/full`
    const native = `/api/service/v1/repos/models/owner/full`
    const content = Buffer.alloc(size, 7).toString('base64')
    const lines = [
      { key: 'header', value: { summary: 'x' } },
      { key: 'file', value: { path: 'x.txt', content, encoding: 'base64' } },
    ].map((line) => JSON.stringify(line))
    const answers = [
      await call('POST', `${native}/uploads`, { files: [{ path: 'x.safetensors', size, sha256 }] }),
      await call('POST', '/owner/full.git/info/lfs/objects/batch', {
        operation: 'upload',
        objects: [asked(large)],
        ref: { name: 'main' },
      }),
      await call('POST', `${hub}/preupload/main`, { files: [{ path: 'x.bin', size, sample: '' }] }),
      await call('POST', `${native}/commits`, {
        title: 'x',
        operations: [{ op: 'add', path: 'x.txt', content }],
      }),
      await call('POST', `${hub}/commit/main`, lines.join('\n'), 'application/x-ndjson'),
    ]
    for (const { status, text } of answers) {
      expect(text).toMatch(/owner holds \d+ of at most \d+ bytes, and this would add 30000\./)
      expect(status).toBe(413)
    }
    expect((await call('GET', `${hub}/xet-write-token/main`)).status).toBe(200)
    await leave(0)
    expect((await call('GET', `${hub}/xet-write-token/main`)).status).toBe(413)
    await leave(40 * KB)
    await givenCommit(world, owner, repo, [add('same.txt', 'a'.repeat(30 * KB))])
    await leave(KB)
    const again = { files: [{ path: 'same.txt', size: 30 * KB, sample: '' }] }
    expect((await call('POST', `${hub}/preupload/main`, again)).status).toBe(200)
    await givenCommit(world, owner, repo, [{ op: 'delete', path: 'same.txt' }])
    await leave(null)
  })

  test('a commit and a push count the large files they bring', async () => {
    const sent = await givenObject(world, owner, repo, givenContent(30 * KB))
    await leave(20 * KB)
    const pointer = {
      op: 'add-lfs' as const,
      path: 'w.bin',
      sha256: sent.sha256,
      sizeBytes: sent.sizeBytes,
    }
    await expect(givenCommit(world, owner, repo, [pointer])).rejects.toMatchObject({ code: 'quota-exceeded' })
    await leave(null)
  })

  test('of two that come at once and fit one by one, the later is refused, by a commit as by a push', async () => {
    const both = [
      await givenRepo(world, owner, { name: 'left' }),
      await givenRepo(world, owner, { name: 'right' }),
    ]
    const bring = async (to: Repo) => {
      const large = await givenObject(world, owner, to, givenContent(30 * KB))
      const pointer = {
        op: 'add-lfs' as const,
        path: 'w.bin',
        sha256: large.sha256,
        sizeBytes: large.sizeBytes,
      }
      return () => givenCommit(world, owner, to, [pointer])
    }
    const commits = await Promise.all(both.map(bring))
    await leave(50 * KB)
    const limit = (await storage(owner))?.quotaBytes ?? 0
    const settled = await Promise.allSettled(commits.map((commit) => commit()))
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        code: 'quota-exceeded',
        // Where one was through before the other began, its first look refuses it.
        detail: expect.stringMatching(/^owner (would hold \d+ bytes, of|holds \d+ of) at most \d+/),
      },
    })
    expect((await storage(owner))?.usedBytes).toBeLessThanOrEqual(limit)

    const pushes = await Promise.all(
      both.map(async ({ name }) => {
        const dir = await mkdtemp(join(world.dir, 'work-'))
        await gitText(dir, ['clone', '-q', `http://owner:${secret}@${origin}/owner/${name}`, '.'])
        await writeFile(join(dir, 'noise.bin'), randomBytes(30 * KB))
        await gitText(dir, ['add', '-A'])
        await gitText(dir, ['commit', '-qm', 'noise'])
        return dir
      }),
    )
    await leave(50 * KB)
    const said = await Promise.all(pushes.map(push))
    expect(said.filter((text) => text.startsWith('taken'))).toHaveLength(1)
    expect(said.find((text) => text.startsWith('refused'))).toContain('main -> main (quota exceeded)')
    await leave(null)
  })

  test('a refused push says why, and a clone counts as a download with its bytes', async () => {
    const dir = await mkdtemp(join(world.dir, 'work-'))
    await gitText(dir, ['clone', '-q', `http://owner:${secret}@${origin}/owner/full`, '.'])
    await flushDownloads(world.deps)
    const { repo_downloads: d } = world.db.t
    const [counted] = await world.db.q.select().from(d).where(eq(d.repo_id, repo.id))
    expect(counted).toMatchObject({ downloads: 1 })
    expect(counted?.bytes).toBeGreaterThan(100)
    const commitFile = async (name: string, content: Buffer | string) => {
      await writeFile(join(dir, name), content)
      await gitText(dir, ['add', '-A'])
      await gitText(dir, ['commit', '-qm', name])
    }
    const sent = await givenObject(world, owner, repo, givenContent(6 * KB))
    await leave(5 * KB)
    await commitFile('noise.bin', randomBytes(20 * KB))
    const said = await push(dir)
    expect(said).toMatch(/^refused/)
    expect(said).toContain('main -> main (quota exceeded)')
    expect(said).toMatch(/arsenal: push rejected, owner holds \d+ of at most \d+ bytes/)
    await gitText(dir, ['reset', '-q', '--hard', 'HEAD~1'])
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sent.sha256}\nsize ${sent.sizeBytes}\n`
    await commitFile('w.bin', pointer)
    expect(await push(dir)).toContain('main -> main (quota exceeded)')
    await leave(null)
    expect(await push(dir)).toMatch(/^taken/)
  })

  test('a manifest of chunks is refused before anything is put together', async () => {
    const site = await new ChunkSite().open(world, 'chunky')
    const send = () => site.ask('POST', '/v1/shards', shard)
    expect((await site.ask('POST', `/v1/xorbs/default/${xorbHash}`, xorb)).status).toBe(200)
    const { usedBytes = 0 } = (await storage(root, 'chunky')) ?? {}
    await setQuota(world.ctx(root), 'chunky', usedBytes + 11)
    const refused = await send()
    expect([refused.status, await refused.text()]).toEqual([
      413,
      expect.stringContaining('this would add 12.'),
    ])
    const { chunk_rebuilds: r } = world.db.t
    expect(await world.db.q.$count(r)).toBe(0)
  })

  test('a repo does not move to where it would not fit', async () => {
    await givenOrg(world, 'narrow', owner)
    const { name } = await givenRepo(world, owner, { name: 'heavy' })
    await setQuota(world.ctx(root), 'narrow', 10)
    const move = () => transferRepo(world.ctx(owner), { type: 'model', ns: 'owner', name }, 'narrow')
    await expect(move()).rejects.toMatchObject({
      code: 'quota-exceeded',
      detail: expect.stringMatching(/^narrow would hold \d+ bytes, of at most 10\.$/),
    })
    await setQuota(world.ctx(root), 'narrow', 1_000_000)
    expect(await move()).toMatchObject({ ns: 'narrow', name })
  })

  test('quotas are set and seen by instance admins', async () => {
    await setQuota(world.ctx(root), 'OWNER', 5)
    expect(await storage(owner)).toMatchObject({ quotaBytes: 5 })
    await expect(setQuota(world.ctx(owner), 'owner', null)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(setQuota(world.ctx(root), 'nobody', null)).rejects.toMatchObject({ code: 'not-found' })
    await setQuota(world.ctx(root), 'owner', null)
    const { audit } = world.db.t
    const ofQuotas = eq(audit.action, 'namespace.quota.set')
    const rows = await world.db.q.select().from(audit).where(ofQuotas).orderBy(audit.id)
    expect(rows.at(-1)).toMatchObject({ target_name: 'owner', before: { quota_bytes: 5 } })
  })
})
