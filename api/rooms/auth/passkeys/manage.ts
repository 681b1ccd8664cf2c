import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { lockNamespace, requireNamedUser } from '../../namespaces/index.ts'
import { requireFreshSession, requireSession } from '../require-session.ts'
import { hasPasskey, passkeysOf, type PasskeyRow } from './queries.ts'

const absent = () => new Problem('not-found', { detail: 'You have no such passkey.' })

/** The caller's passkeys, oldest first. Problem `session-required`. */
export async function listPasskeys(ctx: Ctx): Promise<PasskeyRow[]> {
  return passkeysOf(ctx.db, requireSession(ctx).id)
}

/** Gives a passkey of the caller's another name. Problems: `session-required`, `not-found`. */
export async function renamePasskey(ctx: Ctx, id: string, name: string): Promise<PasskeyRow> {
  const user = requireSession(ctx)
  return ctx.db.write(async (tx) => {
    const { passkeys } = tx.t
    const [row] = await tx.q
      .update(passkeys)
      .set({ name })
      .where(and(eq(passkeys.id, id), eq(passkeys.user_id, user.id)))
      .returning()
    if (!row) throw absent()
    const target = { type: 'user', id: user.id, name: user.username }
    await audit(tx, ctx, { action: 'passkey.rename', target, after: { passkey_id: id, name } })
    return row
  })
}

/**
 * Removes a passkey of the caller's, which needs a fresh sign-in. With the last one the recovery codes go, and the password
 * alone signs them in again. Problems: `session-required`, `not-found`, `fresh-sign-in-required`.
 */
export async function removePasskey(ctx: Ctx, id: string): Promise<void> {
  const user = requireSession(ctx)
  await ctx.db.write(async (tx) => {
    await lockNamespace(tx, user.id)
    const { passkeys, recovery_codes: codes } = tx.t
    const isOwn = and(eq(passkeys.id, id), eq(passkeys.user_id, user.id))
    const [row] = await tx.q.select().from(passkeys).where(isOwn)
    if (!row) throw absent()
    requireFreshSession(ctx)
    await tx.q.delete(passkeys).where(isOwn)
    if (!(await hasPasskey(tx, user.id))) await tx.q.delete(codes).where(eq(codes.user_id, user.id))
    const target = { type: 'user', id: user.id, name: user.username }
    await audit(tx, ctx, { action: 'passkey.remove', target, before: { passkey_id: id, name: row.name } })
  })
}

/**
 * Takes every passkey and recovery code off an account and ends its sessions, for a person who has lost them: the password
 * alone signs them in again. For the command line. Answers how many passkeys there were. Problem `not-found`.
 */
export async function resetSecondFactor(ctx: Ctx, username: string): Promise<number> {
  const { id } = await requireNamedUser(ctx.db, username)
  return ctx.db.write((tx) => takeAll(tx, ctx, { id, username }))
}

async function takeAll(
  tx: Tx,
  ctx: Ctx,
  { id, username }: { id: string; username: string },
): Promise<number> {
  await lockNamespace(tx, id)
  const { passkeys, recovery_codes: codes, sessions } = tx.t
  const gone = await tx.q.delete(passkeys).where(eq(passkeys.user_id, id)).returning({ id: passkeys.id })
  await tx.q.delete(codes).where(eq(codes.user_id, id))
  await tx.q.delete(sessions).where(eq(sessions.user_id, id))
  const target = { type: 'user', id, name: username }
  await audit(tx, ctx, { action: 'second_factor.reset', target, before: { passkeys: gone.length } })
  return gone.length
}
