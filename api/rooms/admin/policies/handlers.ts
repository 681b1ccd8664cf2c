import { getPolicies, listInstanceTokens, policyEffect, updatePolicies } from '../../auth/index.ts'
import { z } from '../../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../../core/http/cursor.ts'
import type { App } from '../../../core/http/env.ts'
import { viewToken } from '../../auth/view.ts'
import * as routes from './routes.ts'

/** Policies, what they touch, and the tokens beyond them. */
export function mountPolicies(app: App): void {
  app.openapi(routes.getPolicies, async (c) => c.json(await getPolicies(c.var.ctx), 200))

  app.openapi(routes.updatePolicies, async (c) =>
    c.json(await updatePolicies(c.var.ctx, c.req.valid('json')), 200),
  )

  app.openapi(routes.getPolicyEffect, async (c) => {
    const { token_max_days, token_require_expiry, session_idle_minutes } = c.req.valid('query')
    const effect = await policyEffect(c.var.ctx, {
      token_max_days: token_max_days ?? null,
      token_require_expiry: token_require_expiry ?? false,
      session_idle_minutes: session_idle_minutes ?? null,
    })
    const { tokens, sessions, admins } = effect
    const touched = {
      tokens_beyond: effect.tokensBeyond,
      sessions_ending: effect.sessionsEnding,
      admins_without_factor: effect.adminsWithoutFactor,
    }
    return c.json({ ...touched, tokens, sessions, admins }, 200)
  })

  app.openapi(routes.listInstanceTokens, async (c) => {
    const { ctx } = c.var
    const { cursor, limit, beyond_policy } = c.req.valid('query')
    const list = `listInstanceTokens ${String(beyond_policy ?? '')}`
    const after = openCursor(ctx, list, cursor, z.string())
    const { items, next } = await listInstanceTokens(ctx, { beyond: beyond_policy }, { after, limit })
    const views = items.map(({ token, username, isBeyond }) => ({
      ...viewToken(token),
      user_id: token.user_id,
      username,
      beyond_policy: isBeyond,
    }))
    return c.json({ items: views, next_cursor: sealCursor(ctx, list, next) }, 200)
  })
}
