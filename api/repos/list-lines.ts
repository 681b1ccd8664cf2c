import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import { jsonRow, jsonTexts, type Tables } from '../db/index.ts'
import type { RepoLine } from './line.ts'
import { pageOf, requireReader, type RepoFilters, type RepoPage } from './list.ts'
import { positionOf, type RepoPosition } from './list-order.ts'

/** A line of a list with the tags of its Repo. */
export type TaggedLine = RepoLine & { tags: string[] }

/** For statements with `repos` and `namespaces`. */
function lineOf({ repos, namespaces, repo_tags }: Tables) {
  const ofRepo = sql`from ${repo_tags} where ${eq(repo_tags.repo_id, repos.id)}`
  return jsonRow({
    id: repos.id,
    type: repos.type,
    ns: namespaces.name,
    name: repos.name,
    visibility: repos.visibility,
    gated: repos.gated,
    description: repos.description,
    disabledAt: repos.disabled_at,
    downloads30d: repos.downloads_30d,
    downloadsTotal: repos.downloads_total,
    headBytes: repos.head_bytes,
    likes: repos.likes,
    createdAt: repos.created_at,
    updatedAt: repos.updated_at,
    task: repos.task,
    library: repos.library,
    trending: repos.trending,
    tags: jsonTexts(repo_tags.tag, ofRepo),
  })
}

/** As `listRepos`, in half the time: for lists of hundreds of lines that tell no more than these. */
export async function listLines(
  ctx: Ctx,
  filters: RepoFilters,
  page: RepoPage,
): Promise<{ items: TaggedLine[]; next?: RepoPosition }> {
  requireReader(ctx)
  const { db } = ctx
  const { repos, namespaces } = db.t
  const { isOnPage, order } = await pageOf(ctx, filters, page)
  const rows = await db.q
    .select({ line: lineOf(db.t) })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(isOnPage)
    .orderBy(...order)
  const items = rows.slice(0, page.limit).map(({ line: { disabledAt, tags, ...line } }) => ({
    ...line,
    isDisabled: disabledAt !== null,
    tags: tags ?? [],
  }))
  const last = items.at(-1)
  return rows.length > page.limit && last ? { items, next: positionOf(ctx, page.sort, last) } : { items }
}
