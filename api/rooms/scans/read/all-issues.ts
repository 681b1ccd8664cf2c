import { and, desc, eq, inArray, lt, or, sql, isNull } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'
import type { RepoAddress } from '../../repos/index.ts'
import { shownStatus } from '../verdict.ts'
import type { ShownIssue } from './repo-status.ts'

/** A file that is not safe, at the head of a default branch. */
export interface FoundIssue extends ShownIssue {
  repo: RepoAddress
  branch: string
  foundAt: Date
}

/** Where the following page of `listAllIssues` begins. */
export interface IssuePosition {
  at: number
  repoId: string
  path: string
}

/** A page of the files of all live repos that are shown as `status`, the latest found first. For instance admins. */
export async function listAllIssues(
  ctx: Ctx,
  status: ShownIssue['status'],
  { after, limit }: { after?: IssuePosition | undefined; limit: number },
): Promise<Page<FoundIssue, IssuePosition>> {
  requireInstanceAdmin(ctx.actor)
  const { scan_issues: i, repos, namespaces } = ctx.db.t
  const raw = (['unsafe', 'suspicious', 'failed'] as const).filter((one) => shownStatus(ctx, one) === status)
  if (raw.length === 0) return { items: [] }
  const at = new Date(after?.at ?? 0)
  const isBehind =
    after &&
    or(
      lt(i.found_at, at),
      and(eq(i.found_at, at), lt(i.repo_id, after.repoId)),
      and(eq(i.found_at, at), eq(i.repo_id, after.repoId), lt(i.path, after.path)),
    )
  const { items, ...next } = await readPage(
    limit,
    (count) =>
      ctx.db.q
        .select({
          repoId: i.repo_id,
          type: repos.type,
          ns: namespaces.name,
          name: repos.name,
          branch: repos.default_branch,
          path: i.path,
          status: i.status,
          foundAt: i.found_at,
        })
        .from(i)
        .innerJoin(repos, and(eq(repos.id, i.repo_id), isNull(repos.deleted_at)))
        .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
        .where(
          and(inArray(i.status, raw), eq(i.ref, sql`'refs/heads/' || ${repos.default_branch}`), isBehind),
        )
        .orderBy(desc(i.found_at), desc(i.repo_id), desc(i.path))
        .limit(count),
    ({ foundAt, repoId, path }) => ({ at: foundAt.getTime(), repoId, path }),
  )
  return {
    ...next,
    items: items.map(({ type, ns, name, branch, path, foundAt, status: found }) => ({
      repo: { type, ns, name },
      branch,
      path,
      status: shownStatus(ctx, found),
      foundAt,
    })),
  }
}
