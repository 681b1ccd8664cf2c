import {
  endSessionsOf,
  listInvites,
  listSessionsOf,
  listTokensOf,
  makeEmailLink,
  makeResetLink,
  revokeInvite,
  revokeTokenOf,
} from '../../auth/index.ts'
import { z } from '../../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../../core/http/cursor.ts'
import type { App } from '../../../core/http/env.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import type { JobEnded } from '../../../core/jobs/index.ts'
import { viewToken } from '../../auth/view.ts'
import { createAdminUser } from './create.ts'
import { inviteUser } from './invite.ts'
import { getAdminUser, listAdminUsers } from './list.ts'
import * as routes from './routes.ts'
import { updateAdminUser } from './update.ts'
import { viewAdminUser, viewInvite, viewMadeLink, viewOwnedSession } from './view.ts'

const usersBase = `${nativeBase}/admin/users`

/** The operations of admins on users, their sessions and tokens, links and invites. */
export function mountUsers(app: App, ended: JobEnded): void {
  mountAccounts(app, ended)
  mountHoldings(app)
  mountLinks(app)
}

function mountAccounts(app: App, ended: JobEnded): void {
  app.openapi(routes.listAdminUsers, async (c) => {
    const { ctx } = c.var
    const { cursor, limit, ...filter } = c.req.valid('query')
    const list = `listAdminUsers ${JSON.stringify(filter)}`
    const after = openCursor(ctx, list, cursor, z.string())
    const { items, next } = await listAdminUsers(ctx, filter, { after, limit })
    return c.json({ items: items.map(viewAdminUser), next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(routes.createAdminUser, async (c) => {
    const { ctx } = c.var
    const { id, reset } = await createAdminUser(ctx, c.req.valid('json'))
    c.header('Location', `${usersBase}/${id}`)
    const user = viewAdminUser(await getAdminUser(ctx, id))
    return c.json({ ...user, ...(reset && { reset_link: viewMadeLink(ctx, reset) }) }, 201)
  })

  app.openapi(routes.getAdminUser, async (c) =>
    c.json(viewAdminUser(await getAdminUser(c.var.ctx, c.req.valid('param').id)), 200),
  )

  app.openapi(routes.updateAdminUser, async (c) => {
    const { ctx } = c.var
    const { id } = c.req.valid('param')
    await updateAdminUser(ctx, id, c.req.valid('json'), ended)
    // Who takes the right from themselves may not look at it any more.
    return c.json(viewAdminUser(await getAdminUser(ctx, id)), 200)
  })
}

function mountHoldings(app: App): void {
  app.openapi(routes.listUserSessions, async (c) => {
    const { ctx } = c.var
    const { id } = c.req.valid('param')
    const { cursor, limit } = c.req.valid('query')
    const list = `listUserSessions ${id}`
    const after = openCursor(ctx, list, cursor, z.string())
    const { items, next } = await listSessionsOf(ctx, id, { after, limit })
    return c.json({ items: items.map(viewOwnedSession), next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(routes.endUserSessions, async (c) => {
    await endSessionsOf(c.var.ctx, c.req.valid('param').id)
    return c.body(null, 204)
  })

  app.openapi(routes.listUserTokens, async (c) => {
    const { ctx } = c.var
    const { id } = c.req.valid('param')
    const { cursor, limit } = c.req.valid('query')
    const list = `listUserTokens ${id}`
    const after = openCursor(ctx, list, cursor, z.string())
    const { items, next } = await listTokensOf(ctx, id, { after, limit })
    return c.json({ items: items.map(viewToken), next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(routes.revokeUserToken, async (c) => {
    const { id, token_id } = c.req.valid('param')
    await revokeTokenOf(c.var.ctx, id, token_id)
    return c.body(null, 204)
  })
}

function mountLinks(app: App): void {
  app.openapi(routes.createEmailLink, async (c) => {
    const { ctx } = c.var
    const { email } = c.req.valid('json')
    const made = await makeEmailLink(ctx, c.req.valid('param').id, email)
    const view = { ...viewMadeLink(ctx, made), email }
    c.header('Location', view.url)
    return c.json(view, 201)
  })

  app.openapi(routes.createResetLink, async (c) => {
    const { ctx } = c.var
    const view = viewMadeLink(ctx, await makeResetLink(ctx, c.req.valid('param').id))
    c.header('Location', view.url)
    return c.json(view, 201)
  })

  app.openapi(routes.createInvite, async (c) => {
    const { ctx } = c.var
    const view = viewMadeLink(ctx, await inviteUser(ctx, c.req.valid('json')))
    c.header('Location', view.url)
    return c.json(view, 201)
  })

  app.openapi(routes.listInvites, async (c) => {
    const { ctx } = c.var
    const { cursor, limit } = c.req.valid('query')
    const after = openCursor(ctx, 'listInvites', cursor, z.string())
    const { items, next } = await listInvites(ctx, { after, limit })
    return c.json({ items: items.map(viewInvite), next_cursor: sealCursor(ctx, 'listInvites', next) }, 200)
  })

  app.openapi(routes.revokeInvite, async (c) => {
    await revokeInvite(c.var.ctx, c.req.valid('param').id)
    return c.body(null, 204)
  })
}
