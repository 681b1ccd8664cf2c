import type { MiddlewareHandler } from 'hono'
import type { Env } from '../../core/http/env.ts'
import { headerOf } from '../../core/http/header.ts'
import { Problem } from '../../platform/problems/index.ts'
import { actorOfKeyToken, actorOfToken } from '../../rooms/auth/index.ts'

/** Sets the caller: by a token of `/v2/token` or an access token; anonymous without any. */
export const identifyPuller: MiddlewareHandler<Env> = async (c, next) => {
  const { ctx } = c.var
  const header = headerOf(c, 'authorization')
  if (header !== undefined) {
    const [, secret] = /^bearer\s+(\S+)$/i.exec(header.trim()) ?? []
    if (secret === undefined)
      throw new Problem('bad-credentials', { detail: 'Send "Authorization: Bearer …".' })
    ctx.actor = (await actorOfKeyToken(ctx, secret)) ?? (await actorOfToken(ctx, secret))
  }
  await next()
}
