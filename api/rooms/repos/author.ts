import type { Ctx } from '../../core/ctx.ts'
import type { Person } from '../../core/git/index.ts'
import { findUserById } from '../namespaces/index.ts'

/** The author of a commit made here: the caller, under an address that receives no mail, in UTC. */
export async function authorOf(ctx: Ctx): Promise<Person> {
  if (ctx.actor.kind === 'user') return personOf(ctx, ctx.actor)
  return { name: 'system', email: addressOf(ctx, 'system'), at: ctx.now(), tzMinutes: 0 }
}

/** As `authorOf`, of another account whose work the caller lands. */
export async function personOf(
  ctx: Ctx,
  { id, username }: { id: string; username: string },
): Promise<Person> {
  const name = (await findUserById(ctx.db, id))?.display_name.trim()
  return { name: name || username, email: addressOf(ctx, username), at: ctx.now(), tzMinutes: 0 }
}

const OUR_ADDRESS = '@users.noreply.'

/** Whether an author's address is one that the server gives, under this name or a former one; others may look alike. */
export const mayBeOurs = (email: string): boolean => email.includes(OUR_ADDRESS)

function addressOf({ config }: Ctx, name: string): string {
  return `${name}${OUR_ADDRESS}${new URL(config.server.public_url).hostname}`
}
