import { and, desc, eq, gt, inArray, isNull, lt, or } from 'drizzle-orm'
import { decide, policyOf, requireUser } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'
import { repoRows, toRepo, type Repo } from '../queries.ts'

/** Where a page of deleted repos begins: when the one before it was deleted, in ms, and its id. */
export interface DeletedPosition {
  at: number
  id: string
}

interface DeletedPage {
  after?: DeletedPosition | undefined
  limit: number
}

/**
 * Repos that the caller can restore, the last deleted first: those of their own namespace and of organisations they are
 * an admin of. Problem `unauthenticated`.
 */
export async function listDeletedRepos(
  ctx: Ctx,
  { after, limit }: DeletedPage,
): Promise<Page<Repo, DeletedPosition>> {
  const actor = requireUser(ctx.actor)
  const { repos } = ctx.db.t
  const owned = [...actor.roles].flatMap(([id, role]) => (role === 'admin' ? [id] : []))
  const since = new Date(ctx.now().getTime() - ctx.config.repos.restore_window)
  const at = new Date(after?.at ?? 0)
  const { items, next } = await readPage(
    limit,
    (count) =>
      repoRows(ctx.db, actor.id)
        .where(
          and(
            inArray(repos.namespace_id, owned),
            gt(repos.deleted_at, since),
            isNull(repos.purging_at),
            after && or(lt(repos.deleted_at, at), and(eq(repos.deleted_at, at), lt(repos.id, after.id))),
          ),
        )
        .orderBy(desc(repos.deleted_at), desc(repos.id))
        .limit(count),
    ({ row: { deletedAt, id } }) => ({ at: deletedAt?.getTime() ?? 0, id }),
  )
  // A token may reach fewer of them.
  const mine = items
    .map(toRepo)
    .filter((repo) => decide(actor, 'repo.restore', repo, policyOf(ctx.config)) === 'ok')
  return { items: mine, ...(next === undefined ? {} : { next }) }
}
