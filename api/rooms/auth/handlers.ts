import { getCookie } from 'hono/cookie'
import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import type { Ctx } from '../../core/ctx.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { updateMe } from '../namespaces/index.ts'
import { changePassword } from './change-password.ts'
import { clearedSessionCookie, sessionCookieName } from './cookie.ts'
import { createToken } from './create-token.ts'
import { decideDevice, getDeviceRequest } from './decide-device.ts'
import { findMe, getMe } from './get-me.ts'
import { mountLinks } from './links/handlers.ts'
import { endLinks } from './links/queries.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { mountPasskeys } from './passkeys/handlers.ts'
import { relyingParty } from './passkeys/relying-party.ts'
import * as routes from './routes.ts'
import { connectIdentity, disconnectIdentity } from './oidc/identities.ts'
import { startPath } from './oidc/provider.ts'
import { register } from './register.ts'
import { listSessions, revokeSession } from './sessions.ts'
import { mountOllamaKeys } from './ollama-keys/handlers.ts'
import { signedIn } from './signed-in-handlers.ts'
import * as tokenRoutes from './token-routes.ts'
import { listTokens, revokeToken } from './tokens.ts'
import { listSignIns } from './sign-ins.ts'
import { viewDevice, viewFactorAsked, viewMe, viewSession, viewSignIn, viewToken } from './view.ts'

/** The operations on the caller's own account: sign-in, sessions, tokens, device logins. */
export function mountAuth(app: App): void {
  mountMe(app)
  mountSignIn(app)
  mountIdentities(app)
  mountLinks(app)
  mountPasskeys(app)
  mountSessions(app)
  mountTokens(app)
  mountOllamaKeys(app)
  mountDevice(app)
}

function mountMe(app: App): void {
  app.openapi(routes.getMe, async (c) => {
    const me = await findMe(c.var.ctx)
    return me ? c.json(viewMe(c.var.ctx, me), 200) : c.body(null, 204)
  })

  app.openapi(routes.updateMe, async (c) => {
    const { ctx } = c.var
    await updateMe(ctx, c.req.valid('json'), (tx, userId) => endLinks(tx, userId, 'email'))
    return c.json(viewMe(ctx, await getMe(ctx)), 200)
  })

  app.openapi(routes.changePassword, async (c) => {
    await changePassword(c.var.ctx, c.req.valid('json'))
    return c.body(null, 204)
  })
}

function mountSignIn(app: App): void {
  app.openapi(routes.login, async (c) => {
    const { ctx } = c.var
    c.header('Cache-Control', 'no-store')
    const begun = await login(ctx, c.req.valid('json'), getCookie(c, sessionCookieName))
    return typeof begun === 'string'
      ? c.json(await signedIn(c, begun), 200)
      : c.json(viewFactorAsked(begun), 202)
  })

  app.openapi(routes.logout, async (c) => {
    await logout(c.var.ctx)
    c.header('Set-Cookie', clearedSessionCookie(c.var.ctx.config))
    return c.body(null, 204)
  })

  app.openapi(routes.getAuthProviders, (c) => {
    const { local_login, registration, anonymous_read } = c.var.ctx.config.security
    const providers = c.var.ctx.config.oidc.providers.map(({ id, name }) => ({
      id,
      name,
      start_url: startPath({ id }),
    }))
    const party = relyingParty(c.var.ctx.config)
    const passkeys = { possible: !('reason' in party), ...('reason' in party && { reason: party.reason }) }
    return c.json({ local: local_login, registration, anonymous_read, providers, passkeys }, 200)
  })

  app.openapi(routes.register, async (c) => {
    const { ctx } = c.var
    const secret = await register(ctx, c.req.valid('json'))
    c.header('Location', `${nativeBase}/me`)
    return c.json(await signedIn(c, secret), 201)
  })
}

function mountIdentities(app: App): void {
  app.openapi(routes.connectIdentity, async (c) => {
    const start_url = await connectIdentity(c.var.ctx, c.req.valid('json'))
    c.header('Location', start_url)
    return c.json({ start_url }, 201)
  })

  app.openapi(routes.disconnectIdentity, async (c) => {
    await disconnectIdentity(c.var.ctx, c.req.valid('param').provider)
    return c.body(null, 204)
  })
}

/** Names a list of the caller's own, so that a cursor works for no other user. */
const ownList = (name: string, { actor }: Ctx) => `${name} ${actor.kind === 'user' ? actor.id : ''}`

function mountSessions(app: App): void {
  app.openapi(routes.listSessions, async (c) => {
    const { ctx } = c.var
    const { cursor, limit } = c.req.valid('query')
    const list = ownList('listSessions', ctx)
    const after = openCursor(ctx, list, cursor, z.string())
    const { items, next } = await listSessions(ctx, { after, limit })
    const views = items.map((row) => viewSession(ctx, row))
    return c.json({ items: views, next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(routes.listSignIns, async (c) => {
    const { ctx } = c.var
    const { cursor, limit } = c.req.valid('query')
    const list = ownList('listSignIns', ctx)
    const after = openCursor(ctx, list, cursor, z.string())
    const { items, next } = await listSignIns(ctx, { after, limit })
    return c.json({ items: items.map(viewSignIn), next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(routes.revokeSession, async (c) => {
    await revokeSession(c.var.ctx, c.req.valid('param').id)
    return c.body(null, 204)
  })
}

function mountTokens(app: App): void {
  app.openapi(tokenRoutes.listTokens, async (c) => {
    const { ctx } = c.var
    const { cursor, limit } = c.req.valid('query')
    const list = ownList('listTokens', ctx)
    const after = openCursor(ctx, list, cursor, z.string())
    const { items, next } = await listTokens(ctx, { after, limit })
    return c.json({ items: items.map(viewToken), next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(tokenRoutes.createToken, async (c) => {
    const { name, scopes, repos, namespaces, expires_at } = c.req.valid('json')
    const { token, secret } = await createToken(c.var.ctx, {
      name,
      scopes,
      fence: repos || namespaces ? { ...(repos && { repos }), ...(namespaces && { namespaces }) } : null,
      expiresAt: expires_at === undefined ? null : new Date(expires_at),
    })
    c.header('Location', `${nativeBase}/me/tokens/${token.id}`)
    c.header('Cache-Control', 'no-store')
    return c.json({ ...viewToken(token), secret }, 201)
  })

  app.openapi(tokenRoutes.revokeToken, async (c) => {
    await revokeToken(c.var.ctx, c.req.valid('param').id)
    return c.body(null, 204)
  })
}

function mountDevice(app: App): void {
  app.openapi(tokenRoutes.getDeviceRequest, async (c) => {
    const login = await getDeviceRequest(c.var.ctx, c.req.valid('query').user_code)
    return c.json(viewDevice(login), 200)
  })

  app.openapi(tokenRoutes.decideDevice, async (c) => {
    const { user_code, decision } = c.req.valid('json')
    await decideDevice(c.var.ctx, user_code, decision)
    return c.body(null, 204)
  })
}
