import type { Ctx } from '../ctx.ts'
import type { Person } from '../git/index.ts'
import { findDisplayName } from './queries.ts'

/** Who a commit made here names as its author: the caller under an address that receives no mail; UTC. */
export async function authorOf(ctx: Ctx): Promise<Person> {
  const host = new URL(ctx.config.server.public_url).hostname
  const address = (name: string) => `${name}@users.noreply.${host}`
  const at = ctx.now()
  if (ctx.actor.kind !== 'user') return { name: 'system', email: address('system'), at, tzMinutes: 0 }
  const { id, username } = ctx.actor
  const name = (await findDisplayName(ctx.db, id))?.trim()
  return { name: name ? name : username, email: address(username), at, tzMinutes: 0 }
}
