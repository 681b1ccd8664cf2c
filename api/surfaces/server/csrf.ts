import type { MiddlewareHandler } from 'hono'
import { Problem } from '../../platform/problems/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Env } from '../../core/http/env.ts'

/**
 * Refuses what another site made a browser send. Browsers say where a request comes from in `Sec-Fetch-Site` or, on
 * plain http, `Origin`; other clients send neither and have no cookie to abuse.
 */
function refuseForeignSite(
  { origin, config }: Ctx,
  site: string | undefined,
  sender: string | undefined,
): void {
  const foreign = new Problem('csrf-token-invalid', { detail: 'The request comes from another site.' })
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw foreign
  } else if (
    sender !== undefined &&
    sender !== origin.baseUrl &&
    sender !== new URL(config.server.public_url).origin
  ) {
    throw foreign
  }
}

/**
 * Guards state changes of browsers (reliability.md §3): requests of a session need `X-CSRF-Token` and must come from our
 * own pages; those that sign in, the second alone. Requests with a token bring no ambient credentials and pass.
 */
export const csrf: MiddlewareHandler<Env> = async (c, next) => {
  const ctx = c.get('ctx')
  const { actor } = ctx
  const isSafe = c.req.method === 'GET' || c.req.method === 'HEAD' || c.req.method === 'OPTIONS'
  if (!isSafe && (actor.kind !== 'user' || actor.auth.kind === 'session')) {
    refuseForeignSite(ctx, c.req.header('Sec-Fetch-Site'), c.req.header('Origin'))
    if (actor.kind === 'user' && actor.auth.kind === 'session') {
      const token = c.req.header('X-CSRF-Token') ?? ''
      if (!ctx.secrets.csrfMatches(actor.auth.sessionId, token))
        throw new Problem('csrf-token-invalid', { detail: 'Send the csrf_token of GET /me as X-CSRF-Token.' })
    }
  }
  await next()
}
