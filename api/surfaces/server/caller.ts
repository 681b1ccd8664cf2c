import type { Ctx } from '../../core/ctx.ts'
import { ipKey } from '../../rooms/auth/index.ts'

/** Who is counted: a token by itself, the sessions of a user together, everybody else by address. */
export function callerOf({ actor, origin }: Pick<Ctx, 'actor' | 'origin'>): string {
  if (actor.kind !== 'user') return ipKey(origin.ip)
  return actor.auth.kind === 'token' ? `t:${actor.auth.tokenId}` : `u:${actor.id}`
}
