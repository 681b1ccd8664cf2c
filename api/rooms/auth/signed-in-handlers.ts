import type { Context } from 'hono'
import type { z } from '../../core/http/contract.ts'
import type { Env } from '../../core/http/env.ts'
import { sessionCookie } from './cookie.ts'
import { getMe } from './get-me.ts'
import { actorOfSession } from './principals.ts'
import type * as routes from './routes.ts'
import { viewMe } from './view.ts'

/** Gives the browser the session that has just begun, and answers whose it is. */
export async function signedIn(c: Context<Env>, secret: string): Promise<z.input<typeof routes.Me>> {
  const { ctx } = c.var
  const theirs = { ...ctx, actor: await actorOfSession(ctx, secret) }
  c.header('Set-Cookie', sessionCookie(ctx.config, secret))
  return viewMe(theirs, await getMe(theirs))
}
