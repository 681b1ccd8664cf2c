import { requireAccount } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { readPage, type Page } from '../../stores/db/index.ts'
import { findTokens, type PageAfter, type TokenRow } from './queries.ts'
import { revokeLineage } from './revoke-tokens.ts'

/** The caller's tokens, newest first, without their secrets. */
export async function listTokens(ctx: Ctx, { after, limit }: PageAfter): Promise<Page<TokenRow, string>> {
  const user = requireAccount(ctx.actor, 'write')
  return readPage(
    limit,
    (count) => findTokens(ctx.db, user.id, { after, limit: count }),
    ({ id }) => id,
  )
}

/** Revokes one token of the caller's and those made with it; anybody else's is Problem `not-found`. */
export async function revokeToken(ctx: Ctx, id: string): Promise<void> {
  const user = requireAccount(ctx.actor, 'write')
  const gone = await ctx.db.write((tx) => revokeLineage(tx, ctx, user.id, id))
  if (gone.length === 0) throw new Problem('not-found')
}
