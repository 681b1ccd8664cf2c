import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { jsonRow, jsonTexts, type JsonRow, type Db, readPage, type Page } from '../../../stores/db/index.ts'
import type { RepoLine } from './line.ts'
import { pageOf, requireReader, type RepoFilters, type RepoPage } from './list.ts'
import { positionOf, type RepoPosition } from './order.ts'

/** A line of a list with the tags of its Repo. */
export type TaggedLine = RepoLine & { tags: string[] }

/** For statements with `repos` and `namespaces`. */
function lineOf({ t: { repos, namespaces, repo_tags } }: Db): JsonRow<TaggedLine> {
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
): Promise<Page<TaggedLine, RepoPosition>> {
  requireReader(ctx)
  const { db } = ctx
  const { repos, namespaces } = db.t
  return readPage(
    page.limit,
    async (count) => {
      const { isOnPage, order } = await pageOf(ctx, filters, { ...page, limit: count })
      const [found] = await db.q
        .select({ lines: db.keep(lineOf).all(order) })
        .from(repos)
        .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
        .where(isOnPage)
      return found?.lines ?? []
    },
    (last) => positionOf(ctx, page.sort, last),
  )
}
