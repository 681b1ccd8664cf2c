import { and, eq } from 'drizzle-orm'
import { requireAccount } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { audit } from '../events/index.ts'
import { Problem } from '../problems/index.ts'
import { findTokens, type Page, type TokenRow } from './queries.ts'

/** The caller's Tokens, newest first, without their secrets. */
export async function listTokens(ctx: Ctx, page: Page): Promise<TokenRow[]> {
  const user = requireAccount(ctx.actor, 'write')
  return findTokens(ctx.db, user.id, page)
}

/** Revokes one Token of the caller's; anybody else's is Problem `not-found`. */
export async function revokeToken(ctx: Ctx, id: string): Promise<void> {
  const user = requireAccount(ctx.actor, 'write')
  await ctx.db.write(async (tx) => {
    const { tokens } = tx.t
    const [gone] = await tx.q
      .delete(tokens)
      .where(and(eq(tokens.id, id), eq(tokens.user_id, user.id)))
      .returning({ name: tokens.name })
    if (!gone) throw new Problem('not-found')
    await audit(tx, ctx, { action: 'token.revoke', target: { type: 'token', id, name: gone.name } })
  })
}
