import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { App, Env } from '../../../core/http/env.ts'
import { readBody } from '../../../core/http/request-body.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { sessionCookie, sessionCookieName } from '../cookie.ts'
import { logOutByProvider } from './backchannel.ts'
import { beginSignIn } from './begin.ts'
import { finishSignIn } from './finish.ts'
import { clearedFlowCookie, flowCookie, flowCookieName } from './flow.ts'
import { refusalPage } from './page.ts'
import { recordRefusal } from './record-refusal.ts'
import { refusals, Refused } from './refused.ts'

/** Sign-in with providers: `GET /auth/oidc/{id}/start`, `…/callback`, `POST …/backchannel-logout`. */
export function mountOidc(app: App): void {
  app.get('/auth/oidc/:id/start', (c) =>
    orPage(c, async () => {
      const { ctx } = c.var
      const { next, ticket, invite, confirm } = c.req.query()
      const { url, flow } = await beginSignIn(ctx, c.req.param('id'), {
        next,
        ticket,
        invite,
        isConfirmation: confirm !== undefined,
      })
      c.header('Set-Cookie', flowCookie(ctx, flow))
      return c.redirect(url, 303)
    }),
  )

  app.get('/auth/oidc/:id/callback', (c) =>
    orPage(c, async () => {
      const { ctx } = c.var
      const { state, code, error, iss } = c.req.query()
      const cookies = { flow: getCookie(c, flowCookieName), session: getCookie(c, sessionCookieName) }
      c.header('Set-Cookie', clearedFlowCookie(ctx.config))
      const { secret, next } = await finishSignIn(
        ctx,
        c.req.param('id'),
        { state, code, error, iss },
        cookies,
      )
      c.header('Set-Cookie', sessionCookie(ctx.config, secret), { append: true })
      return c.redirect(next, 303)
    }),
  )

  app.post('/auth/oidc/:id/backchannel-logout', async (c) => {
    const { ctx } = c.var
    const id = c.req.param('id')
    c.header('Cache-Control', 'no-store')
    try {
      const form = new URLSearchParams((await readBody(c, { size: 'small' })).toString('utf8'))
      await logOutByProvider(ctx, id, form.get('logout_token') ?? '')
      return c.body(null, 200)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      await recordRefusal(ctx, id, error)
      // OpenID Connect Back-Channel Logout 1.0, section 2.8.
      return c.json({ error: 'invalid_request', error_description: refusals[error.reason][1] }, 400)
    }
  })
}

/** What people do in a browser is answered by pages, also when it fails. */
async function orPage(c: Context<Env>, answer: () => Promise<Response>): Promise<Response> {
  const id = c.req.param('id') ?? ''
  try {
    return await answer()
  } catch (error) {
    const refused = asRefused(error)
    if (!refused) {
      throw error
    }
    const { ctx } = c.var
    const { reason, fault, cause } = refused
    if (reason === 'throttled') c.header('Retry-After', '900')
    else await recordRefusal(ctx, id, refused)
    if (refusals[reason][0] >= 500)
      ctx.log.warn({ provider: id, reason, fault, err: cause }, 'sign-in with a provider failed')
    const provider = ctx.config.oidc.providers.find((each) => each.id === id)?.name ?? ''
    return c.html(refusalPage(refused, { provider, requestId: ctx.origin.requestId }), refusals[reason][0])
  }
}

function asRefused(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error
  return error instanceof Problem && error.code === 'throttled'
    ? new Refused('throttled', { cause: error })
    : undefined
}
