import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { lockNamespace } from '../namespaces/index.ts'
import type { TokenRow } from './queries.ts'

/** Ids of `id` and of all tokens made with it, and with those. In SQL: a chain may be longer than a stack is deep. */
const lineageOf = ({ t: { tokens } }: Tx, id: string): SQL => sql`(
  with recursive lineage(id) as (
    select ${tokens.id} from ${tokens} where ${tokens.id} = ${id}
    union select child.id from ${tokens} as child inner join lineage on child.parent_id = lineage.id)
  select id from lineage)`

/**
 * Revokes one token of the user's and all that were made with it, and denies the devices approved with them. Each has
 * its audit row. Answers what was revoked, which is nothing when the user has no such token.
 */
export async function revokeLineage(tx: Tx, ctx: Ctx, userId: string, id: string): Promise<TokenRow[]> {
  await lockNamespace(tx, userId)
  const { tokens, device_logins: logins } = tx.t
  const [own] = await tx.q
    .select({ id: tokens.id })
    .from(tokens)
    .where(and(eq(tokens.id, id), eq(tokens.user_id, userId)))
  if (!own) return []
  const lineage = lineageOf(tx, id)
  await denyDevices(tx, sql`${logins.token_id} in ${lineage}`)
  return revoke(tx, ctx, sql`${tokens.id} in ${lineage}`)
}

/** Revokes every token of the user's, and denies the devices that were approved but have not fetched theirs. */
export async function revokeAllOf(tx: Tx, ctx: Ctx, userId: string): Promise<TokenRow[]> {
  await lockNamespace(tx, userId)
  await denyDevicesOf(tx, userId)
  return revoke(tx, ctx, eq(tx.t.tokens.user_id, userId))
}

async function revoke(tx: Tx, ctx: Ctx, which: SQL): Promise<TokenRow[]> {
  const gone = await tx.q.delete(tx.t.tokens).where(which).returning()
  for (const { id, name, user_id, parent_id } of gone)
    await audit(tx, ctx, {
      action: 'token.revoke',
      target: { type: 'token', id, name },
      before: { user_id, parent_id },
    })
  return gone
}

/** Ends the device logins that the user has approved and no device has fetched. */
export function denyDevicesOf(tx: Tx, userId: string): Promise<void> {
  return denyDevices(tx, eq(tx.t.device_logins.user_id, userId))
}

async function denyDevices({ q, t: { device_logins: logins } }: Tx, which: SQL): Promise<void> {
  await q
    .update(logins)
    .set({ status: 'denied' })
    .where(and(eq(logins.status, 'approved'), which))
}
