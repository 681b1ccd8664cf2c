import { and, eq, inArray, notInArray, or } from 'drizzle-orm'
import { actorId } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { namedIn } from './address.ts'

/** A comment and the repo it is in. */
interface Comment {
  id: string
  repoId: string
}

/**
 * Enters which images a comment shows, once its text is written. The author may show their own images, and those that
 * comments of this repo show already. Naming an image elsewhere opens it to no one else.
 */
export async function keepUses(tx: Tx, ctx: Ctx, comment: Comment, text: string): Promise<void> {
  const { attachment_uses: u } = tx.t
  const named = namedIn(text)
  const isGone = named.length > 0 ? notInArray(u.attachment_id, named) : undefined
  await tx.q.delete(u).where(and(eq(u.event_id, comment.id), isGone))
  if (named.length === 0) return
  const shown = await takeIntoUse(tx, ctx, comment, named)
  if (shown.length === 0) return
  const rows = shown.map(({ id }) => ({
    attachment_id: id,
    event_id: comment.id,
    repo_id: comment.repoId,
  }))
  await tx.q.insert(u).values(rows).onConflictDoNothing()
}

/** Those that may be shown. Their rows are held, so that a sweep which has found them unused passes them by. */
function takeIntoUse({ q, t }: Tx, ctx: Ctx, { repoId }: Comment, named: string[]) {
  const { attachments: a, attachment_uses: u } = t
  const shownHere = q.select({ id: u.attachment_id }).from(u).where(eq(u.repo_id, repoId))
  return q
    .update(a)
    .set({ unused_since: null })
    .where(and(inArray(a.id, named), or(eq(a.user_id, actorId(ctx.actor) ?? ''), inArray(a.id, shownHere))))
    .returning({ id: a.id })
}
