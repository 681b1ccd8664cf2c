import { and, eq, or } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { requireNamedUser } from '../namespaces/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { TokenRow } from './queries.ts'
import { revokeAllOf, revokeLineage } from './revoke-tokens.ts'

/**
 * Revokes one token of any user's, with those made with it: by its id, or of the user `username` by its name too. Answers
 * what was revoked. The caller has been authorised. Problem `not-found`.
 */
export async function revokeNamedToken(ctx: Ctx, token: string, username?: string): Promise<TokenRow[]> {
  return ctx.db.write(async (tx) => {
    const owner = username === undefined ? undefined : await requireNamedUser(tx, username)
    const { id, user_id } = await requireToken(tx, token, owner?.id)
    return revokeLineage(tx, ctx, user_id, id)
  })
}

/** Revokes all tokens of one user; answers them. The caller has been authorised. Problem `not-found`. */
export async function revokeTokensOf(ctx: Ctx, username: string): Promise<TokenRow[]> {
  return ctx.db.write(async (tx) => revokeAllOf(tx, ctx, (await requireNamedUser(tx, username)).id))
}

/** A name is unique among the tokens of one user alone. */
async function requireToken({ q, t: { tokens } }: Tx, token: string, ownerId: string | undefined) {
  const which =
    ownerId === undefined
      ? eq(tokens.id, token)
      : and(eq(tokens.user_id, ownerId), or(eq(tokens.id, token), eq(tokens.name, token)))
  const [row] = await q.select({ id: tokens.id, user_id: tokens.user_id }).from(tokens).where(which)
  if (row) return row
  const hint = ownerId === undefined ? 'Name it by its id, or add --user to name it by its name.' : ''
  throw new Problem('not-found', { detail: `There is no token ${token}. ${hint}`.trim() })
}

/**
 * Revokes every token of this instance, one user after the other, so that no transaction is long; answers how many. The
 * caller has been authorised.
 */
export async function revokeEveryToken(ctx: Ctx): Promise<number> {
  const { tokens } = ctx.db.t
  const owners = await ctx.db.q.selectDistinct({ id: tokens.user_id }).from(tokens)
  let revoked = 0
  for (const { id } of owners) revoked += (await ctx.db.write((tx) => revokeAllOf(tx, ctx, id))).length
  return revoked
}
