import { and, desc, eq, lt, or } from 'drizzle-orm'
import type { RepoType, WatchLevel } from '../../../../shared/vocabulary.ts'
import { policyOf, requireAccount, visibleRepos } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'

/** A repo of which the caller has chosen the news. */
export interface WatchedRepo {
  id: string
  repo: { type: RepoType; ns: string; name: string }
  level: WatchLevel
  watchedAt: Date
}

/** Where a page begins: time of the watch before it in ms, and id of its repo. */
export interface WatchPosition {
  at: number
  id: string
}

/** Repos of which the caller has chosen the news and that they may see now, the latest first. */
export async function listWatchedRepos(
  ctx: Ctx,
  { after, limit }: { after?: WatchPosition | undefined; limit: number },
): Promise<Page<WatchedRepo, WatchPosition>> {
  const user = requireAccount(ctx.actor, 'read')
  const { repo_watches: w, repos, namespaces } = ctx.db.t
  const at = new Date(after?.at ?? 0)
  return readPage(
    limit,
    (count) =>
      ctx.db.q
        .select({
          id: repos.id,
          repo: { type: repos.type, ns: namespaces.name, name: repos.name },
          level: w.level,
          watchedAt: w.created_at,
        })
        .from(w)
        .innerJoin(repos, eq(repos.id, w.repo_id))
        .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
        .where(
          and(
            eq(w.user_id, user.id),
            visibleRepos(ctx.actor, ctx.db, policyOf(ctx.config)),
            after && or(lt(w.created_at, at), and(eq(w.created_at, at), lt(w.repo_id, after.id))),
          ),
        )
        .orderBy(desc(w.created_at), desc(w.repo_id))
        .limit(count),
    ({ watchedAt, id }) => ({ at: watchedAt.getTime(), id }),
  )
}
