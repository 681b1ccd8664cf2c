import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { givenUser } from '../../testing/given.ts'
import { eachDatabase, type World } from '../../testing/world.ts'
import { checkUpstream } from './check.ts'
import { askUpstream } from './client.ts'
import { createUpstream, deleteUpstream, listAllUpstreams, updateUpstream } from './manage.ts'
import { limitOf, pauseAsked, pauseLeft } from './pace.ts'
import { deleteUpstreamToken, getUpstreamToken, saveUpstreamToken, tokenFor } from './tokens.ts'
import { findUpstream, requireUpstream } from './upstream.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A hub on a loopback address. */
async function givenHub(answer: RequestListener): Promise<{ url: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** A hub that knows the token `good`. */
const hub: RequestListener = ({ url = '', headers }, response) => {
  const isGood = headers.authorization === 'Bearer good'
  if (url.startsWith('/api/whoami-v2')) response.writeHead(isGood ? 200 : 401).end('{"name":"ann"}')
  else if (url.startsWith('/api/models')) response.end('[]')
  else if (url.includes('/info/refs')) response.writeHead(401).end()
  else response.writeHead(404).end()
}

/** The context of a caller on a server whose configuration has the upstream `near`. */
function near(world: World, url: string, actor = world.ctx().actor, token = '') {
  const ctx = world.ctx(actor)
  const given = { base_url: url, enabled: true, token, namespace_prefix: '', viewer_url: '' }
  const publicHub = { ...given, base_url: 'https://huggingface.co', token: '' }
  const config = { ...ctx.config, upstreams: { huggingface: publicHub, near: given } }
  return { ...ctx, config }
}

test('the time to wait is read from both kinds of headers', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const asked = (status: number, headers: Record<string, string>) => pauseAsked({ status, headers }, now)
  expect(asked(200, { 'retry-after': '9' })).toBeUndefined()
  expect(asked(429, { 'retry-after': '9' })).toBe(9)
  expect(asked(503, { 'retry-after': 'Sun, 01 Mar 2026 12:00:20 GMT' })).toBe(20)
  expect(asked(429, { ratelimit: '"api";r=0;t=55' })).toBe(55)
  expect(asked(429, {})).toBe(30)
  expect(asked(429, { 'retry-after': '999999' })).toBe(3600)
  expect(asked(503, {})).toBeUndefined()
})

test('how many requests are left is read from all kinds of headers, of several limits the tightest', () => {
  expect(limitOf({})).toBeUndefined()
  expect(limitOf({ ratelimit: '"api";r=489;t=55' })).toEqual({ left: 489, resetS: 55 })
  expect(limitOf({ ratelimit: '"day";r=900;t=4000, "api";r=3;t=7' })).toEqual({ left: 3, resetS: 7 })
  expect(limitOf({ 'ratelimit-remaining': '12', 'ratelimit-reset': '9' })).toEqual({ left: 12, resetS: 9 })
  expect(limitOf({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225600' })).toEqual({ left: 0 })
  expect(limitOf({ ratelimit: 'nonsense', 'x-ratelimit-remaining': 'many' })).toBeUndefined()
})

eachDatabase('upstreams', (world) => {
  test('one is added, changed and removed by admins alone; its token is sealed and stays with its host', async () => {
    const admin = await givenUser(world, 'upstream-admin', { isAdmin: true })
    const other = await givenUser(world, 'upstream-other')
    const given = { baseUrl: 'https://partner.example/hub/', name: 'Partner', token: 'secret-one' }
    await expect(createUpstream(world.ctx(other), 'partner', given)).rejects.toMatchObject({
      code: 'forbidden',
    })
    const ctx = near(world, 'https://near.example', admin)
    const made = await createUpstream(ctx, 'partner', given)
    expect(made).toMatchObject({
      id: 'partner',
      baseUrl: 'https://partner.example/hub',
      viewerUrl: 'https://datasets-server.partner.example/hub',
      enabled: true,
    })
    expect(made.token()).toBe('secret-one')
    const { q, t } = world.db
    const [row] = await q.select().from(t.upstreams)
    expect(JSON.stringify(row)).not.toContain('secret-one')
    await expect(createUpstream(ctx, 'partner', given)).rejects.toMatchObject({ code: 'already-exists' })
    await expect(createUpstream(ctx, 'huggingface', given)).rejects.toMatchObject({ code: 'already-exists' })
    expect((await updateUpstream(ctx, 'partner', { enabled: false })).token()).toBe('secret-one')
    await expect(requireUpstream(ctx, 'partner')).rejects.toMatchObject({ code: 'not-found' })
    const moved = await updateUpstream(ctx, 'partner', {
      enabled: true,
      baseUrl: 'https://elsewhere.example',
    })
    expect(moved.token()).toBeUndefined()
    await expect(updateUpstream(ctx, 'huggingface', { enabled: false })).rejects.toMatchObject({
      code: 'state-conflict',
    })
    for (const baseUrl of ['ftp://a.example', 'https://u:p@a.example', 'https://a.example/?q=1', 'nonsense'])
      await expect(updateUpstream(ctx, 'partner', { baseUrl })).rejects.toMatchObject({
        code: 'validation-failed',
      })
    expect((await listAllUpstreams(ctx)).map(({ upstream }) => upstream.id)).toEqual([
      'huggingface',
      'near',
      'partner',
    ])
    await deleteUpstream(ctx, 'partner')
    expect(await findUpstream(ctx, 'partner')).toBeUndefined()
    await expect(deleteUpstream(ctx, 'partner')).rejects.toMatchObject({ code: 'not-found' })
    const actions = await q.select({ action: t.audit.action, row: t.audit }).from(t.audit)
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['upstream.create', 'upstream.update', 'upstream.delete']),
    )
    expect(JSON.stringify(actions)).not.toContain('secret-one')
  })

  test('a personal token is asked about, sealed, preferred to that of the instance, and never shown', async () => {
    const { url, asked } = await givenHub(hub)
    const person = await givenUser(world, 'upstream-person')
    const ctx = near(world, url, person, 'shared')
    const upstream = await requireUpstream(ctx, 'near')
    expect(await tokenFor(ctx, upstream, person.id)).toEqual({ kind: 'instance', token: 'shared' })
    await expect(saveUpstreamToken(ctx, 'near', 'bad')).rejects.toMatchObject({ code: 'validation-failed' })
    await expect(saveUpstreamToken(ctx, 'near', 'with blank')).rejects.toMatchObject({
      code: 'validation-failed',
    })
    await expect(saveUpstreamToken(ctx, 'nowhere', 'good')).rejects.toMatchObject({ code: 'not-found' })
    expect(await getUpstreamToken(ctx, 'near')).toBeUndefined()
    const saved = await saveUpstreamToken(ctx, 'near', ' good\n')
    expect(saved).toMatchObject({ valid: true, checked_at: world.clock.now })
    expect(saved.token).not.toContain('good')
    expect(await tokenFor(ctx, upstream, person.id)).toEqual({ kind: 'personal', token: 'good' })
    expect(await tokenFor(ctx, upstream, null)).toEqual({ kind: 'instance', token: 'shared' })
    expect(asked.every(({ headers }) => !headers.cookie)).toBe(true)
    await deleteUpstreamToken(ctx, 'near')
    expect((await tokenFor(ctx, upstream, person.id)).kind).toBe('instance')
  })

  test('a token is saved unchecked while the upstream is down', async () => {
    const { url } = await givenHub((_, response) => response.writeHead(500).end())
    const person = await givenUser(world, 'upstream-down')
    const saved = await saveUpstreamToken(near(world, url, person), 'near', 'good')
    expect([saved.valid, saved.checked_at]).toEqual([null, null])
  })

  test('one that asks to wait is left alone by everybody until then', async () => {
    const { url, asked } = await givenHub((_, response) =>
      response.writeHead(429, { 'Retry-After': '7' }).end(),
    )
    const ctx = near(world, url)
    const upstream = await requireUpstream(ctx, 'near')
    const ask = () => askUpstream(ctx, { upstream }, '/api/models')
    await expect(ask()).rejects.toMatchObject({ code: 'upstream-throttled', retryAfterS: 7 })
    await expect(ask()).rejects.toMatchObject({ code: 'upstream-throttled' })
    expect(asked).toHaveLength(1)
    world.clock.now = new Date(world.clock.now.getTime() + 5000)
    expect(await pauseLeft(ctx, upstream)).toBe(2000)
    world.clock.now = new Date(world.clock.now.getTime() + 2001)
    await expect(ask()).rejects.toMatchObject({ code: 'upstream-throttled' })
    expect(asked).toHaveLength(2)
    const admin = await givenUser(world, 'upstream-pacer', { isAdmin: true })
    expect(await checkUpstream(near(world, url, admin), 'near')).toMatchObject({
      healthy: false,
      findings: [{ name: 'limit', ok: false, message: expect.stringContaining('limits how often') }],
    })
    world.clock.now = new Date(world.clock.now.getTime() + 10_000)
  })

  test('a check says in words what is wrong, and is kept', async () => {
    const admin = await givenUser(world, 'upstream-checker', { isAdmin: true })
    const { url } = await givenHub(hub)
    const fine = await checkUpstream(near(world, url, admin, 'good'), 'near')
    expect(fine).toMatchObject({ healthy: false })
    expect(fine.findings?.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['clock'])
    expect(fine.findings?.find(({ name }) => name === 'token')?.message).toContain('ann')
    const refused = await checkUpstream(near(world, url, admin, 'old'), 'near')
    expect(refused.findings?.find(({ name }) => name === 'token')).toMatchObject({ ok: false })
    expect(fine.findings?.find(({ name }) => name === 'limit')).toEqual({
      name: 'limit',
      ok: true,
      message: 'Its answers name no limit of requests.',
    })
    const limited = await givenHub((request, response) => {
      response.setHeader('RateLimit', '"api";r=0;t=55')
      hub(request, response)
    })
    const spent = await checkUpstream(near(world, limited.url, admin), 'near')
    expect(spent.findings?.find(({ name }) => name === 'limit')).toMatchObject({
      ok: false,
      message: expect.stringContaining('no more requests in the next 55 s'),
    })
    const gone = await checkUpstream(near(world, 'http://127.0.0.1:9', admin), 'near')
    expect(gone).toMatchObject({ healthy: false, findings: [{ name: 'reachable', ok: false }] })
    const states = await listAllUpstreams(near(world, url, admin))
    expect(states.find(({ upstream }) => upstream.id === 'near')?.state?.healthy).toBe(false)
  })

  test('what a check found is dropped with the address and the token it was of', async () => {
    const admin = await givenUser(world, 'upstream-mover', { isAdmin: true })
    const { url } = await givenHub(hub)
    const ctx = near(world, url, admin)
    const found = async () =>
      (await listAllUpstreams(ctx)).find(({ upstream }) => upstream.id === 'moving')?.state?.findings ?? null
    await createUpstream(ctx, 'moving', { baseUrl: 'https://one.example' })
    for (const change of [{ baseUrl: 'https://two.example' }, { token: 'good' }, { token: null }]) {
      await checkUpstream(ctx, 'moving')
      await updateUpstream(ctx, 'moving', { name: 'Moving' })
      expect(await found()).toHaveLength(1)
      await updateUpstream(ctx, 'moving', change)
      expect(await found()).toBeNull()
    }
    await deleteUpstream(ctx, 'moving')
  })

  test('an upstream that an admin added leads to no private address', async () => {
    const admin = await givenUser(world, 'upstream-inside', { isAdmin: true })
    const { url, asked } = await givenHub(hub)
    await createUpstream(world.ctx(admin), 'inside', { baseUrl: url })
    const state = await checkUpstream(world.ctx(admin), 'inside')
    expect(state.findings?.[0]).toMatchObject({ name: 'reachable', ok: false })
    expect(asked).toEqual([])
    await deleteUpstream(world.ctx(admin), 'inside')
  })
})
