import type { Context } from 'hono'
import type { Env } from './env.ts'

/** Refused before its body was read, a client is not made to send the rest. */
export function closing(c: Context<Env>): Record<string, string> {
  const { incoming } = c.env ?? {}
  const isUnread = incoming ? !incoming.complete : c.req.raw.body !== null && !c.req.raw.bodyUsed
  return isUnread ? { Connection: 'close' } : {}
}
