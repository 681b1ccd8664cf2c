import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { anonymous, type Actor, type UserActor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { codeOf, pass, storedKeys } from '../../../core/lfs/testing.ts'
import { collect } from '../../../stores/storage/index.ts'
import { watchedDb } from '../../../testing/watched-db.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { openFileAt, openRevision } from '../../content/index.ts'
import { requireRepo } from '../../repos/index.ts'
import { saveUpstreamToken } from '../../upstreams/tokens.ts'
import { findMirror } from '../queries.ts'
import { givenHub, siteOf } from '../testing/site.ts'
import { pullThroughOf } from './pull-through.ts'

const MiB = 2 ** 20

eachDatabase('pull-through', (world) => {
  const hub = givenHub(world)
  let person: UserActor
  const site = siteOf(world, hub)
  const rules = { enabled: true, allow: ['*'], min_role: 'user' }
  let stale = 0
  /** A caller's request to a surface that pulls through. */
  const request = (actor: Actor = person, more: Record<string, unknown> = {}): Ctx => {
    const ctx = site.ctx(actor, { pull_through: { ...rules, ...more } })
    const open = {
      ...ctx,
      config: { ...ctx.config, security: { ...ctx.config.security, anonymous_read: true } },
    }
    return { ...open, pullThrough: pullThroughOf(open, () => stale++) }
  }
  /** As `request`; notes each transaction and statement. */
  const watched = (steps: string[]): Ctx => {
    const ctx = request()
    const db = watchedDb(ctx.db, (step, act) => {
      if (step.kind !== 'statement' || !step.isInside)
        steps.push(step.kind === 'statement' ? step.sql : step.kind)
      return act()
    })
    const own = { ...ctx, db }
    return { ...own, pullThrough: pullThroughOf(own, () => stale++) }
  }
  const at = (name: string) => {
    const [ns = '', repo = ''] = name.split('/')
    return { type: 'model' as const, ns, name: repo }
  }
  const info = (name: string, ctx = request()) => requireRepo(ctx, at(name), 'repo.read')
  const open = async (name: string, path: string, { ctx = request(), revision = 'main' } = {}) => {
    const repo = await info(name, ctx)
    return openFileAt(ctx, repo, await openRevision(ctx, repo.id, revision), path)
  }
  const read = async (name: string, path: string, more: { ctx?: Ctx; revision?: string } = {}) =>
    collect(await (await open(name, path, more)).open(), 2 ** 30)
  const bodies = (from = 0) =>
    hub.cdnAsked.slice(from).filter(({ headers }) => headers.range === undefined).length

  beforeAll(async () => {
    person = await givenUser(world, 'reader')
  })
  beforeEach(() => {
    stale = 0
  })

  const small = { 'README.md': '# Model\n', 'config.json': '{}' }
  const until = async (what: () => Promise<boolean>) => {
    while (!(await what())) await pause(20)
  }

  test('an absent repo comes on its first read, once for all who ask, with its own commit', async () => {
    const bytes = randomBytes(3 * MiB)
    const sha = await hub.commit('cold/one', small, { large: { 'model.bin': bytes } })
    const before = hub.asked.length
    const repos = await Promise.all(Array.from({ length: 8 }, () => info('cold/one')))
    expect(new Set(repos.map(({ id }) => id)).size).toBe(1)
    expect(repos[0]).toMatchObject({ headCommit: sha, visibility: 'public', isMirror: true, ns: 'cold' })
    const asked = hub.asked.slice(before).map(({ method, url }) => `${method} ${url.split('?')[0]}`)
    expect(asked.filter((line) => line.includes('/api/'))).toHaveLength(1)
    expect(asked.filter((line) => line.includes('info/refs'))).toHaveLength(1)
    expect((await findMirror(world.db, repos[0]?.id ?? ''))?.selection).toEqual({})
    expect((await read('cold/one', 'model.bin')).equals(bytes)).toBe(true)
    // For ever after without the upstream.
    await until(async () => (await storedKeys(world, 'transfers/')).length === 0)
    hub.misbehave = (_, response) => {
      response.destroy()
      return true
    }
    expect((await read('cold/one', 'model.bin')).equals(bytes)).toBe(true)
    expect(stale).toBeGreaterThanOrEqual(0)
  })

  test('without the right to it, nothing is looked for: disabled, not allowed, anonymous, an ordinary namespace', async () => {
    await hub.commit('cold/closed', small)
    await hub.commit('reader/theirs', small)
    const before = hub.asked.length
    for (const ctx of [
      request(person, { enabled: false }),
      request(person, { allow: ['other/*'] }),
      request(anonymous),
    ])
      expect(await codeOf(info('cold/closed', ctx))).toBe('repo-not-found')
    expect(await codeOf(info('reader/theirs'))).toBe('repo-not-found')
    expect(hub.asked.length).toBe(before)
    expect((await info('cold/closed', request(anonymous, { min_role: 'anonymous' }))).isMirror).toBe(true)
  })

  test('the first byte of a cold file waits for one transaction and the upstream', async () => {
    const bytes = randomBytes(2 * MiB)
    await hub.commit('cold/first', small, { large: { 'model.bin': bytes, 'other.bin': randomBytes(MiB) } })
    await read('cold/first', 'other.bin')
    const steps: string[] = []
    const file = await open('cold/first', 'model.bin', { ctx: watched(steps) })
    const source = await file.open()
    const waited = steps.splice(0)
    expect(waited.filter((kind) => kind === 'write')).toHaveLength(1)
    expect((await collect(source, bytes.length)).equals(bytes)).toBe(true)
  })

  test('an ordinary repo wins over one of the same name', async () => {
    await hub.commit('reader/own', small)
    const own = await givenRepo(world, person, { name: 'own' })
    expect((await info('reader/own')).id).toBe(own.id)
  })

  test('what the upstream denies is absent, for a minute without asking again; an upstream that is down is not', async () => {
    const before = hub.asked.length
    expect(await codeOf(info('cold/none'))).toBe('repo-not-found')
    expect(await codeOf(info('cold/none'))).toBe('repo-not-found')
    expect(hub.asked.length - before).toBe(1)
    pass(world, 61_000)
    await hub.commit('cold/none', small)
    expect((await info('cold/none')).isMirror).toBe(true)
    hub.misbehave = (_, response) => {
      response.destroy()
      return true
    }
    await expect(info('cold/down')).rejects.toMatchObject({ code: 'upstream-unavailable' })
  })

  test('a revision comes by itself; a path that is not in the tree is absent without asking', async () => {
    const first = await hub.commit('cold/revisions', small)
    const second = await hub.commit('cold/revisions', { 'config.json': '{"a":1}' })
    await hub.git('cold/revisions', 'tag', 'v1', first)
    expect((await info('cold/revisions')).headCommit).toBe(second)
    expect((await read('cold/revisions', 'config.json', { revision: first })).toString()).toBe('{}')
    expect((await open('cold/revisions', 'config.json', { revision: 'v1' })).commit).toBe(first)
    const before = hub.asked.length
    expect(await codeOf(read('cold/revisions', 'no-such-file'))).toBe('entry-not-found')
    expect(hub.asked.length).toBe(before)
    expect(await codeOf(open('cold/revisions', 'x', { revision: 'no-such-branch' }))).toBe(
      'revision-not-found',
    )
    expect(await codeOf(open('cold/revisions', 'x', { revision: 'refs/pr/1' }))).toBe('revision-not-found')
  })

  test('a branch is looked at again after five minutes; an upstream that is down leaves what is here, marked stale', async () => {
    await hub.commit('cold/moving', small)
    await info('cold/moving')
    const next = await hub.commit('cold/moving', { 'config.json': '{"b":2}' })
    expect((await open('cold/moving', 'config.json')).commit).not.toBe(next)
    pass(world, 301_000)
    // A reader waits a second at most, and then gets what is here.
    const head = async () => (await open('cold/moving', 'config.json')).commit
    await until(async () => (await head()) === next)
    pass(world, 301_000)
    stale = 0
    hub.misbehave = (_, response) => {
      response.destroy()
      return true
    }
    expect(await head()).toBe(next)
    expect(stale).toBe(1)
    hub.misbehave = () => true
    pass(world, 31_000)
    const began = hub.asked.length
    expect(await head()).toBe(next)
    expect(stale).toBe(2)
    expect(hub.asked.length - began).toBe(1)
  })

  test('any number of readers at any offset share one upstream body', async () => {
    const bytes = randomBytes(40 * MiB)
    await hub.commit('cold/shared', small, { large: { 'big.bin': bytes } })
    await info('cold/shared')
    const before = hub.cdnAsked.length
    const offsets = [0, 0, 1, 5 * MiB, 12 * MiB + 7, 0, 3 * MiB, 0]
    const answers = await Promise.all(
      offsets.map(async (offset) => {
        const file = await open('cold/shared', 'big.bin')
        const range = { offset, length: bytes.length - offset }
        return collect(await file.open(offset === 0 ? undefined : range), 2 ** 30)
      }),
    )
    for (const [i, offset] of offsets.entries())
      expect(answers[i]?.equals(bytes.subarray(offset)), String(offset)).toBe(true)
    expect(bodies(before)).toBe(1)
    await until(async () => (await storedKeys(world, 'transfers/')).length === 0)
    const provenance = await world.db.q.select().from(world.db.t.mirror_provenance)
    expect(provenance.map(({ path }) => path)).toContain('big.bin')
  })

  test('a short range far inside begins no transfer', async () => {
    const bytes = randomBytes(64 * MiB)
    await hub.commit('cold/header', small, { large: { 'big.bin': bytes } })
    const before = hub.cdnAsked.length
    const file = await open('cold/header', 'big.bin')
    const got = await collect(await file.open({ offset: 50 * MiB, length: 1000 }), 2000)
    expect(got.equals(bytes.subarray(50 * MiB, 50 * MiB + 1000))).toBe(true)
    expect(hub.cdnAsked.slice(before).map(({ headers }) => headers.range)).toEqual([
      `bytes=${50 * MiB}-${50 * MiB + 999}`,
    ])
    expect(await world.db.q.$count(world.db.t.transfers)).toBe(0)
  })

  test('wrong bytes break off, and nothing of them is kept', async () => {
    const bytes = randomBytes(9 * MiB)
    await hub.commit('cold/wrong', small, { large: { 'a.bin': bytes } })
    hub.cdnMisbehave = (_, response) => {
      response.writeHead(200, { 'Content-Length': bytes.length }).end(randomBytes(bytes.length))
      return true
    }
    const source = await (await open('cold/wrong', 'a.bin')).open()
    let sent = 0
    const readAll = async () => {
      for await (const chunk of source) sent += chunk.length
    }
    await expect(readAll()).rejects.toMatchObject({ code: 'digest-mismatch' })
    expect(sent).toBeLessThan(bytes.length)
    hub.cdnMisbehave = undefined
    // At once, while the wrong bytes are still deleted.
    expect((await read('cold/wrong', 'a.bin')).equals(bytes)).toBe(true)
    await until(async () => (await storedKeys(world, 'transfers/')).length === 0)
  })

  test('a connection that breaks goes on where it broke', async () => {
    const bytes = randomBytes(5 * MiB)
    await hub.commit('cold/broken', small, { large: { 'a.bin': bytes } })
    hub.cdnMisbehave = ({ headers }, response) => {
      if (headers.range !== undefined) return false
      response.writeHead(200, { 'Content-Length': bytes.length })
      response.write(bytes.subarray(0, 2 * MiB), () => setTimeout(() => response.destroy(), 50))
      return true
    }
    expect((await read('cold/broken', 'a.bin')).equals(bytes)).toBe(true)
  })

  test('an upstream that asks to wait is left alone; readers hear how long', async () => {
    const bytes = randomBytes(2 * MiB)
    await hub.commit('cold/busy', small, { large: { 'a.bin': bytes } })
    const file = await open('cold/busy', 'a.bin')
    hub.misbehave = ({ url }, response) => {
      if (!url?.includes('/resolve/')) return false
      response.writeHead(429, { 'Retry-After': '90' }).end()
      return true
    }
    await expect(file.open()).rejects.toMatchObject({ code: 'upstream-throttled', retryAfterS: 90 })
    hub.misbehave = undefined
    const before = hub.asked.length
    await expect(file.open()).rejects.toMatchObject({ code: 'upstream-throttled' })
    await expect(info('cold/not-here')).rejects.toMatchObject({ code: 'upstream-throttled' })
    expect(hub.asked.length).toBe(before)
    pass(world, 100_000)
    expect((await read('cold/busy', 'a.bin')).equals(bytes)).toBe(true)
  })

  test('a gated repo is for those with a token that may read it, each with a private mirror of their own', async () => {
    const bytes = randomBytes(2 * MiB)
    await hub.commit('cold/gated', small, { large: { 'a.bin': bytes } })
    hub.gated.add('cold/gated')
    hub.misbehave = ({ url, headers }, response) => {
      if (url !== '/api/whoami-v2') return false
      response.writeHead(headers.authorization === 'Bearer good' ? 200 : 401).end('{"name":"ann"}')
      return true
    }
    const reader = await givenUser(world, 'gated-reader')
    await expect(info('cold/gated', request(reader))).rejects.toMatchObject({
      code: 'gated',
      detail: expect.stringContaining('Save a token'),
    })
    await saveUpstreamToken(site.ctx(reader), 'hub', 'good')
    await expect(info('cold/gated', request(reader))).rejects.toMatchObject({
      to: { ns: 'gated-reader', name: 'gated' },
    })
    const own = await info('gated-reader/gated', request(reader))
    expect(own.visibility).toBe('private')
    expect((await read('gated-reader/gated', 'a.bin', { ctx: request(reader) })).equals(bytes)).toBe(true)
    await expect(info('cold/gated')).rejects.toMatchObject({ code: 'gated' })
    expect(await codeOf(info('gated-reader/gated'))).toBe('repo-not-found')
    expect(hub.cdnAsked.every(({ headers }) => headers.authorization === undefined)).toBe(true)
  })

  test('a renamed repo answers to both names', async () => {
    await hub.commit('cold/new-name', small)
    hub.renamed.set('cold/old-name', 'cold/new-name')
    await expect(info('cold/old-name')).rejects.toMatchObject({ to: { ns: 'cold', name: 'new-name' } })
    hub.misbehave = (_, response) => {
      response.destroy()
      return true
    }
    await expect(info('cold/old-name')).rejects.toMatchObject({ to: { ns: 'cold', name: 'new-name' } })
  })

  test('a transfer whose readers left goes on as a job when it is worth it', async () => {
    const bytes = randomBytes(40 * MiB)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await hub.commit('cold/left', small, { large: { 'big.bin': bytes } })
    hub.cdnMisbehave = ({ headers }, response) => {
      if (headers.range !== undefined) return false
      response.writeHead(200, { 'Content-Length': bytes.length })
      // The rest does not come while the reader is there.
      response.write(bytes.subarray(0, 15 * MiB))
      return true
    }
    const source = await (await open('cold/left', 'big.bin')).open()
    const chunks = source[Symbol.asyncIterator]()
    for (let got = 0; got < 15 * MiB;) {
      const { value } = await chunks.next()
      got += value?.length ?? 0
    }
    await chunks.return?.()
    const { q, t } = world.db
    const waiting = async () =>
      (await q.select().from(t.jobs)).find(({ kind, status }) => kind === 'pull' && status === 'queued')
    await until(async () => (await waiting()) !== undefined)
    hub.cdnMisbehave = undefined
    const before = hub.cdnAsked.length
    const job = await site.run(site.ctx(), (await waiting())?.id ?? '')
    expect(job).toMatchObject({ status: 'succeeded', created_by: person.id })
    const ranges = hub.cdnAsked.slice(before).map(({ headers }) => headers.range)
    expect(ranges.filter((range) => range?.startsWith('bytes=0-') && range !== 'bytes=0-0')).toEqual([])
    expect((await read('cold/left', 'big.bin')).equals(bytes)).toBe(true)
    expect(hub.cdnAsked.length).toBe(before + ranges.length)
    expect(sha256).toHaveLength(64)
  })
})
