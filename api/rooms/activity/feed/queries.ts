import { aliasedTable, and, desc, eq, gte, inArray, isNotNull, lt, max, sql } from 'drizzle-orm'
import { visibleRepos } from '../../../core/access/index.ts'
import { dayOf, type Db } from '../../../stores/db/index.ts'
import { HEADS } from '../kinds.ts'
import { repoOf } from '../queries.ts'
import { findCollections } from './collections.ts'
import { descriptionOf, type FeedEntry, type FeedWanted } from './entry.ts'
import { createdFor, isNews, movesFor } from './sources.ts'
import { findThreads } from './threads.ts'

async function createdRepos(db: Db, wanted: FeedWanted): Promise<FeedEntry[]> {
  const { repos, namespaces } = db.t
  const { viewer, policy, since, before, count } = wanted
  const authors = aliasedTable(namespaces, 'authors')
  const rows: Omit<FeedEntry, 'commits' | 'commit'>[] = await db.q
    .select({
      id: repos.id,
      at: repos.created_at,
      repo: repoOf(db),
      description: descriptionOf(db),
      author: sql<string | null>`${authors.name}`,
    })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .leftJoin(authors, eq(authors.id, repos.created_by))
    .where(
      and(
        inArray(repos.id, createdFor(db, viewer, since)),
        gte(repos.created_at, since),
        before && lt(repos.id, before.id),
        isNews(db, viewer.id, repos.created_by),
        visibleRepos(viewer, db, policy),
      ),
    )
    .orderBy(desc(repos.id))
    .limit(count)
  return rows.map((row) => ({ ...row, commits: 0 }))
}

/** The last move of each repo's default branch on each day, with how many commits those of the day brought. */
function movesOfDays(db: Db, { viewer, policy, since, before, count }: FeedWanted) {
  const { git_ref_log: log, git_commits: c, repos, namespaces } = db.t
  const was = aliasedTable(c, 'was')
  const last = max(log.id)
  return db.q
    .select({
      id: sql<string>`${last}`.as('last'),
      // A push brings several, which stand one after the other in the history; what was rewritten counts as one.
      commits: sql<number>`sum(case when ${c.chain} = ${was.chain} and ${c.pos} > ${was.pos}
        then ${c.pos} - ${was.pos} else 1 end)`
        .mapWith(Number)
        .as('commits'),
    })
    .from(log)
    .innerJoin(repos, eq(repos.id, log.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .leftJoin(c, and(eq(c.repo_id, log.repo_id), eq(c.oid, log.new_oid)))
    .leftJoin(was, and(eq(was.repo_id, log.repo_id), eq(was.oid, log.old_oid)))
    .where(
      and(
        inArray(log.id, movesFor(db, viewer, { since, until: before?.until })),
        eq(log.name, sql`${HEADS} || ${repos.default_branch}`),
        isNotNull(log.old_oid),
        isNotNull(log.new_oid),
        isNews(db, viewer.id, log.user_id),
        visibleRepos(viewer, db, policy),
      ),
    )
    .groupBy(log.repo_id, dayOf(log.at))
    .having(before && sql`${last} < ${before.id}`)
    .orderBy(sql`${last} desc`)
    .limit(count)
    .as('days')
}

interface CommitRow extends Omit<FeedEntry, 'commit'> {
  oid: Buffer | null
  branch: string
  title: string | null
}

async function commits(db: Db, wanted: FeedWanted): Promise<FeedEntry[]> {
  const { git_ref_log: log, git_commits: c, repos, namespaces } = db.t
  const authors = aliasedTable(namespaces, 'authors')
  const days = movesOfDays(db, wanted)
  const rows: CommitRow[] = await db.q
    .select({
      id: log.id,
      at: log.at,
      oid: log.new_oid,
      branch: repos.default_branch,
      title: c.subject,
      repo: repoOf(db),
      description: descriptionOf(db),
      author: sql<string | null>`${authors.name}`,
      commits: days.commits,
    })
    .from(days)
    .innerJoin(log, eq(log.id, days.id))
    .innerJoin(repos, eq(repos.id, log.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .leftJoin(c, and(eq(c.repo_id, log.repo_id), eq(c.oid, log.new_oid)))
    .leftJoin(authors, eq(authors.id, log.user_id))
  return rows.flatMap(({ oid, branch, title, ...entry }) =>
    oid ? [{ ...entry, commit: { oid, branch, title } }] : [],
  )
}

/** The newest entries of all kinds. */
export async function findFeed(db: Db, wanted: FeedWanted): Promise<FeedEntry[]> {
  const kinds = await Promise.all([
    createdRepos(db, wanted),
    commits(db, wanted),
    findThreads(db, wanted),
    findCollections(db, wanted),
  ])
  return kinds
    .flat()
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, wanted.count)
}
