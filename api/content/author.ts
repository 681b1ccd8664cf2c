import type { Ctx } from '../ctx.ts'
import type { Person } from '../git/index.ts'
import { findDisplayName } from './queries.ts'

/** Who a commit made here names as its author: the caller under an address that receives no mail; UTC. */
export async function authorOf(ctx: Ctx): Promise<Person> {
  if (ctx.actor.kind === 'user') return personOf(ctx, ctx.actor)
  return { name: 'system', email: addressOf(ctx, 'system'), at: ctx.now(), tzMinutes: 0 }
}

/** As `authorOf`, of another account, whose work it is that the caller brings in. */
export async function personOf(
  ctx: Ctx,
  { id, username }: { id: string; username: string },
): Promise<Person> {
  const name = (await findDisplayName(ctx.db, id))?.trim()
  return { name: name ? name : username, email: addressOf(ctx, username), at: ctx.now(), tzMinutes: 0 }
}

function addressOf({ config }: Ctx, name: string): string {
  return `${name}@users.noreply.${new URL(config.server.public_url).hostname}`
}
