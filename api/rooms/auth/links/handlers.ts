import type { App } from '../../../core/http/env.ts'
import { time, type z } from '../../../core/http/contract.ts'
import { sessionCookie } from '../cookie.ts'
import { getLink, redeemLink, type DescribedLink } from './redeem-link.ts'
import * as routes from './routes.ts'

type LinkInfo = z.input<(typeof routes.getLink.responses)[200]['content']['application/json']['schema']>

function viewLink({ link, user }: DescribedLink): LinkInfo {
  const { username, ...invite } = link.invite ?? {}
  const name = user?.username ?? username
  return {
    ...invite,
    kind: link.kind,
    expires_at: time(link.expires_at),
    ...(name !== undefined && { username: name }),
    ...(link.email !== null && { email: link.email }),
  }
}

/** Links that admins pass on: what one is for, and redeeming it. */
export function mountLinks(app: App): void {
  app.openapi(routes.getLink, async (c) =>
    c.json(viewLink(await getLink(c.var.ctx, c.req.valid('param').secret)), 200),
  )

  app.openapi(routes.redeemLink, async (c) => {
    const { ctx } = c.var
    const { secret, ...done } = await redeemLink(ctx, c.req.valid('param').secret, c.req.valid('json'))
    if (secret !== undefined) c.header('Set-Cookie', sessionCookie(ctx.config, secret))
    return c.json(done, 200)
  })
}
