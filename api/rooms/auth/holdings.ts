import { eq } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { readPage, type Page } from '../../stores/db/index.ts'
import { audit } from '../../core/events/index.ts'
import { findUserById, lockNamespace, type Reader, type User } from '../namespaces/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { findSessions, findTokens, type PageAfter, type SessionRow, type TokenRow } from './queries.ts'
import { revokeLineage } from './revoke-tokens.ts'

async function requireUserById(db: Reader, id: string): Promise<User> {
  const user = await findUserById(db, id)
  if (!user) throw new Problem('not-found', { detail: 'There is no such user.' })
  return user
}

/** The live sessions of a user, newest first. For instance admins. Problem `not-found`. */
export async function listSessionsOf(
  ctx: Ctx,
  userId: string,
  { after, limit }: PageAfter,
): Promise<Page<SessionRow, string>> {
  requireInstanceAdmin(ctx.actor)
  const { id } = await requireUserById(ctx.db, userId)
  return readPage(
    limit,
    (count) => findSessions(ctx.db, id, ctx.now(), { after, limit: count }),
    (row) => row.id,
  )
}

/** Ends every session of a user. For instance admins. Problem `not-found`. */
export async function endSessionsOf(ctx: Ctx, userId: string): Promise<void> {
  requireInstanceAdmin(ctx.actor)
  await ctx.db.write(async (tx) => {
    await lockNamespace(tx, userId)
    const { id, username: name } = await requireUserById(tx, userId)
    const { sessions } = tx.t
    const ended = await tx.q.delete(sessions).where(eq(sessions.user_id, id)).returning({ id: sessions.id })
    const target = { type: 'user', id, name }
    await audit(tx, ctx, { action: 'session.end', target, after: { sessions: ended.length } })
  })
}

/** The access tokens of a user, newest first. For instance admins. Problem `not-found`. */
export async function listTokensOf(
  ctx: Ctx,
  userId: string,
  { after, limit }: PageAfter,
): Promise<Page<TokenRow, string>> {
  requireInstanceAdmin(ctx.actor)
  const { id } = await requireUserById(ctx.db, userId)
  return readPage(
    limit,
    (count) => findTokens(ctx.db, id, { after, limit: count }),
    (row) => row.id,
  )
}

/** Revokes one access token of a user, with those made with it. For instance admins. Problem `not-found`. */
export async function revokeTokenOf(ctx: Ctx, userId: string, tokenId: string): Promise<void> {
  requireInstanceAdmin(ctx.actor)
  const gone = await ctx.db.write((tx) => revokeLineage(tx, ctx, userId, tokenId))
  if (gone.length === 0) throw new Problem('not-found', { detail: 'The user has no such access token.' })
}
