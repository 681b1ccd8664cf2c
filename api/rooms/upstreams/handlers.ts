import { requireScope, requireUser } from '../../core/access/index.ts'
import type { App } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { checkUpstream } from './check.ts'
import * as manage from './manage.ts'
import * as routes from './routes.ts'
import { deleteUpstreamToken, getUpstreamToken, saveUpstreamToken } from './tokens.ts'
import { findUpstream, listUpstreams } from './upstream.ts'
import { viewSavedToken, viewUpstream } from './view.ts'

/** The operations on upstreams, and on the tokens that people save for them. */
export function mountUpstreams(app: App): void {
  app.openapi(routes.listUpstreams, async (c) => {
    const { ctx } = c.var
    requireScope(requireUser(ctx.actor), 'read')
    const enabled = (await listUpstreams(ctx)).filter((upstream) => upstream.enabled)
    return c.json({ items: enabled.map((upstream) => viewUpstream(upstream)), next_cursor: '' }, 200)
  })

  app.openapi(routes.listAdminUpstreams, async (c) => {
    const all = await manage.listAllUpstreams(c.var.ctx)
    return c.json(
      { items: all.map(({ upstream, state }) => viewUpstream(upstream, state)), next_cursor: '' },
      200,
    )
  })

  app.openapi(routes.createUpstream, async (c) => {
    const { id, ...given } = c.req.valid('json')
    const made = await manage.createUpstream(c.var.ctx, id, { ...settingsOf(given), baseUrl: given.base_url })
    return c.json(viewUpstream(made), 201, { Location: `${nativeBase}/admin/upstreams/${id}` })
  })

  app.openapi(routes.updateUpstream, async (c) => {
    const { ctx } = c.var
    const changed = await manage.updateUpstream(ctx, c.req.valid('param').id, settingsOf(c.req.valid('json')))
    return c.json(viewUpstream(changed, (await manage.listStates(ctx)).get(changed.id)), 200)
  })

  app.openapi(routes.deleteUpstream, async (c) => {
    await manage.deleteUpstream(c.var.ctx, c.req.valid('param').id)
    return c.body(null, 204)
  })

  app.openapi(routes.checkUpstream, async (c) => {
    const { ctx } = c.var
    const { id } = c.req.valid('param')
    const state = await checkUpstream(ctx, id)
    const upstream = await findUpstream(ctx, id)
    if (!upstream) throw new Error(`the upstream ${id} went while it was checked`)
    return c.json(viewUpstream(upstream, state), 200)
  })

  app.openapi(routes.getUpstreamToken, async (c) => {
    const { upstream } = c.req.valid('param')
    return c.json(viewSavedToken(upstream, await getUpstreamToken(c.var.ctx, upstream)), 200)
  })

  app.openapi(routes.saveUpstreamToken, async (c) => {
    const { upstream } = c.req.valid('param')
    const saved = await saveUpstreamToken(c.var.ctx, upstream, c.req.valid('json').token)
    return c.json(viewSavedToken(upstream, saved), 200)
  })

  app.openapi(routes.deleteUpstreamToken, async (c) => {
    await deleteUpstreamToken(c.var.ctx, c.req.valid('param').upstream)
    return c.body(null, 204)
  })
}

interface GivenSettings {
  name?: string | undefined
  base_url?: string | undefined
  enabled?: boolean | undefined
  viewer_url?: string | null | undefined
  namespace_prefix?: string | undefined
  token?: string | null | undefined
}

const settingsOf = (given: GivenSettings): manage.UpstreamSettings => ({
  name: given.name,
  baseUrl: given.base_url,
  enabled: given.enabled,
  viewerUrl: given.viewer_url,
  namespacePrefix: given.namespace_prefix,
  token: given.token,
})
