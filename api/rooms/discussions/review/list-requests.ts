import { aliasedTable, and, desc, eq, sql } from 'drizzle-orm'
import type { RepoType } from '../../../../shared/vocabulary.ts'
import { policyOf, requireAccount, visibleRepos } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'

/** A pull request that waits for the caller's review. */
export interface ReviewRequest {
  repo: { type: RepoType; ns: string; name: string }
  num: number
  title: string
  /** Username of who asked; `null` when the account is gone. */
  requestedBy: string | null
  createdAt: Date
}

const most = 20

/** The open pull requests that wait for the caller's review, in repos that they may see now: the latest 20 requests. */
export async function listReviewRequests(ctx: Ctx): Promise<ReviewRequest[]> {
  const user = requireAccount(ctx.actor, 'read')
  const { review_requests: r, discussions: d, repos, namespaces } = ctx.db.t
  const askers = aliasedTable(namespaces, 'askers')
  return ctx.db.q
    .select({
      repo: { type: repos.type, ns: namespaces.name, name: repos.name },
      num: d.num,
      title: d.title,
      requestedBy: sql<string | null>`${askers.name}`,
      createdAt: r.created_at,
    })
    .from(r)
    .innerJoin(d, eq(d.id, r.discussion_id))
    .innerJoin(repos, eq(repos.id, d.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .leftJoin(askers, eq(askers.id, r.requested_by))
    .where(
      and(
        eq(r.user_id, user.id),
        eq(d.status, 'open'),
        eq(repos.discussions_enabled, true),
        visibleRepos(ctx.actor, ctx.db, policyOf(ctx.config)),
      ),
    )
    .orderBy(desc(r.created_at), desc(d.id))
    .limit(most)
}
