import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import { requireRepo, updateRepo } from '../repos/index.ts'
import { saveUpstreamToken } from '../upstreams/tokens.ts'
import { detachMirror, getMirror, syncNow } from './settings/mirror.ts'
import { givenHub, siteOf } from './testing/site.ts'

eachDatabase('what an upstream does not show to everybody', (world) => {
  const hub = givenHub(world)
  const site = siteOf(world, hub)
  const bytes = randomBytes(2000)
  let person: UserActor
  let admin: UserActor
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
    admin = await givenUser(world, 'mirror-admin', { isAdmin: true })
  })
  beforeEach(() => {
    hub.gated.clear()
    hub.misbehave = ({ url, headers }, response) => {
      if (url !== '/api/whoami-v2') return false
      response.writeHead(headers.authorization === 'Bearer good' ? 200 : 401).end('{"name":"ann"}')
      return true
    }
  })

  /** With a token of the instance, which may read all there. */
  function withToken(ctx: Ctx): Ctx {
    const { hub: upstream } = ctx.config.upstreams
    if (!upstream) throw new Error('there is no upstream')
    return { ...ctx, config: { ...ctx.config, upstreams: { hub: { ...upstream, token: 'good' } } } }
  }

  test('stays private here until it is detached', async () => {
    await hub.commit('acme/gated', { 'README.md': '# A\n' }, { large: { 'a.bin': bytes } })
    hub.gated.add('acme/gated')
    await saveUpstreamToken(site.ctx(person), 'hub', 'good')
    expect((await site.pulled(site.ctx(person), site.wish('acme/gated'))).status).toBe('succeeded')
    const address = { type: 'model', ns: 'puller', name: 'gated' } as const
    await expect(updateRepo(site.ctx(person), address, { visibility: 'public' })).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [{ field: 'visibility' }],
    })
    expect((await requireRepo(site.ctx(person), address, 'repo.read')).visibility).toBe('private')
    expect((await updateRepo(site.ctx(person), address, { description: 'Ours' })).description).toBe('Ours')
    await detachMirror(site.ctx(person), address)
    expect((await updateRepo(site.ctx(person), address, { visibility: 'public' })).visibility).toBe('public')
  })

  test('is refused as gated, not as absent, where git takes no token that its API took', async () => {
    await hub.commit('acme/members', { 'README.md': '# A\n' })
    hub.gated.add('acme/members')
    const outsider = await givenUser(world, 'outsider')
    hub.misbehave = ({ url }, response) => {
      if (url !== '/api/whoami-v2') return false
      response.writeHead(200).end('{"name":"eve"}')
      return true
    }
    await saveUpstreamToken(site.ctx(outsider), 'hub', 'of-an-outsider')
    const job = await site.pulled(site.ctx(outsider), site.wish('acme/members'))
    expect(job).toMatchObject({ status: 'failed', problem: { code: 'gated' } })
  })

  test('is not followed by a mirror from before it was closed', async () => {
    const address = { type: 'model', ns: 'acme', name: 'closed' } as const
    const first = await hub.commit('acme/closed', { 'README.md': '# Open\n' })
    const pulled = await site.pulled(withToken(site.ctx(person)), site.wish('acme/closed'))
    expect(pulled.status).toBe('succeeded')
    await hub.commit('acme/closed', { 'README.md': '# Secret\n' }, { large: { 'a.bin': bytes } })
    hub.gated.add('acme/closed')
    const ctx = withToken(site.ctx(admin))
    const job = await site.run(ctx, (await syncNow(ctx, address)).id)
    expect(job).toMatchObject({ status: 'failed', problem: { code: 'gated' } })
    const { row } = await getMirror(ctx, address)
    expect(row).toMatchObject({ local_commit: first, error: { code: 'gated' } })
    expect((await site.read(site.ctx(person), 'acme/closed', 'README.md')).toString()).toBe('# Open\n')
    expect((await site.pulled(ctx, site.wish('acme/closed'))).status).toBe('succeeded')
    const own = { type: 'model', ns: 'mirror-admin', name: 'closed' } as const
    expect((await requireRepo(ctx, own, 'repo.read')).visibility).toBe('private')
  })
})
