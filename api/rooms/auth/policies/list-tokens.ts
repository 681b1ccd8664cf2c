import { and, desc, eq, lt, not } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'
import type { PageAfter, TokenRow } from '../queries.ts'
import { readPolicies } from './policies.ts'
import { isBeyond, isWorking, outlasts } from './token-policy.ts'

/** A token with its owner, and whether it outlasts what the policies allow a new one. */
export interface JudgedToken {
  token: TokenRow
  username: string
  isBeyond: boolean
}

/**
 * The working tokens of all users, newest first: all, or those alone that are beyond the policies or within them. For
 * instance admins.
 */
export async function listInstanceTokens(
  ctx: Ctx,
  { beyond }: { beyond?: boolean | undefined },
  { after, limit }: PageAfter,
): Promise<Page<JudgedToken, string>> {
  requireInstanceAdmin(ctx.actor)
  const { q, t } = ctx.db
  const { tokens, namespaces } = t
  const now = ctx.now()
  const policies = await readPolicies(ctx.db)
  const isPastPolicy = isBeyond(t, policies, now)
  const wanted = beyond === undefined ? undefined : beyond ? isPastPolicy : isPastPolicy && not(isPastPolicy)
  const page = await readPage(
    limit,
    (count) =>
      q
        .select({ token: tokens, username: namespaces.name })
        .from(tokens)
        .innerJoin(namespaces, eq(namespaces.id, tokens.user_id))
        .where(and(isWorking(t, now), wanted, after === undefined ? undefined : lt(tokens.id, after)))
        .orderBy(desc(tokens.id))
        .limit(count),
    ({ token }) => token.id,
  )
  return {
    ...page,
    items: page.items.map((row) => ({ ...row, isBeyond: outlasts(row.token, policies, now) })),
  }
}
