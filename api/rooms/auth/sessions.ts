import { and, eq } from 'drizzle-orm'
import { requireAccount } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { audit } from '../../core/events/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { readPage, type Page } from '../../stores/db/index.ts'
import { findSessions, type PageAfter, type SessionRow } from './queries.ts'

/** The caller's live sessions, newest first. */
export async function listSessions(ctx: Ctx, { after, limit }: PageAfter): Promise<Page<SessionRow, string>> {
  const user = requireAccount(ctx.actor, 'write')
  return readPage(
    limit,
    (count) => findSessions(ctx.db, user.id, ctx.now(), { after, limit: count }),
    ({ id }) => id,
  )
}

/** Ends one session of the caller's; anybody else's is Problem `not-found`. */
export async function revokeSession(ctx: Ctx, id: string): Promise<void> {
  const user = requireAccount(ctx.actor, 'write')
  await ctx.db.write(async (tx) => {
    const { sessions } = tx.t
    const gone = await tx.q
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.user_id, user.id)))
      .returning({ id: sessions.id })
    if (gone.length === 0) throw new Problem('not-found')
    await audit(tx, ctx, { action: 'session.revoke', target: { type: 'session', id, name: user.username } })
  })
}
