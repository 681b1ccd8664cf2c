import { and, eq, isNull } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { newId, type Tx } from '../../../stores/db/index.ts'
import { lockNamespace } from '../../namespaces/index.ts'
import { requireFreshSession } from '../require-session.ts'
import { digestOf, randomText } from '../secrets.ts'
import { hasPasskey } from './queries.ts'

const count = 10

// Without what people confuse: 0 and o, 1, i and l, u and v. 16 of them are 77 bits, so a plain digest keeps them.
const alphabet = '23456789abcdefghjkmnpqrstwxyz'

interface Owner {
  id: string
  username: string
}

const shown = (code: string): string => (code.match(/.{4}/g) ?? []).join('-')

const digest = (userId: string, code: string): string =>
  digestOf(`${userId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)

/** Replaces the recovery codes of a user within a transaction; answers them, which are shown this once. */
export async function replaceRecoveryCodes(tx: Tx, ctx: Ctx, { id, username }: Owner): Promise<string[]> {
  const { recovery_codes: codes } = tx.t
  await tx.q.delete(codes).where(eq(codes.user_id, id))
  const made = Array.from({ length: count }, () => randomText(16, alphabet))
  const created_at = ctx.now()
  await tx.q
    .insert(codes)
    .values(made.map((code) => ({ id: newId(), user_id: id, digest: digest(id, code), created_at })))
  await audit(tx, ctx, { action: 'recovery_codes.create', target: { type: 'user', id, name: username } })
  return made.map(shown)
}

/**
 * Gives the caller ten new recovery codes; former ones no longer work. Needs a fresh sign-in. Problems: `session-required`,
 * `fresh-sign-in-required`, `state-conflict` for an account without a passkey.
 */
export async function createRecoveryCodes(ctx: Ctx): Promise<string[]> {
  const user = requireFreshSession(ctx)
  return ctx.db.write(async (tx) => {
    await lockNamespace(tx, user.id)
    if (!(await hasPasskey(tx, user.id)))
      throw new Problem('state-conflict', {
        detail: 'Add a passkey first. Recovery codes stand in for it when it is lost.',
      })
    return replaceRecoveryCodes(tx, ctx, user)
  })
}

/** Uses up one of the user's codes: true for the first who names it, and once. */
export async function useRecoveryCode(
  tx: Tx,
  ctx: Ctx,
  { id, username }: Owner,
  code: string,
): Promise<boolean> {
  const { recovery_codes: codes } = tx.t
  const used = await tx.q
    .update(codes)
    .set({ used_at: ctx.now() })
    .where(and(eq(codes.digest, digest(id, code)), eq(codes.user_id, id), isNull(codes.used_at)))
    .returning({ id: codes.id })
  if (used.length === 0) return false
  await audit(tx, ctx, { action: 'recovery_codes.use', target: { type: 'user', id, name: username } })
  return true
}
