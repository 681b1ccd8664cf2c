import { aliasedTable, and, desc, eq, getTableColumns, isNull, lt, type SQL } from 'drizzle-orm'
import type { JobStatus, RepoType } from '../../../shared/vocabulary.ts'
import { requireScope, visibleJobs, type UserActor } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { type Reads, type Tables, readPage, type Page } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { JobRow } from './queries.ts'

/** A job with the names of what it refers to. */
export interface Job extends JobRow {
  repo: { type: RepoType; ns: string; name: string } | null
  /** Username. */
  creator: string | null
}

/**
 * A job of no repo as who queued it sees it, or the equal one that was there. It is not read again: a token of the scope
 * `admin` alone may start such jobs.
 */
export const queuedBy = ({ id, username }: UserActor, job: JobRow): Job => ({
  ...job,
  repo: null,
  creator: job.created_by === id ? username : null,
})

export interface JobFilters {
  /** Only those the caller began. */
  mine?: boolean | undefined
  kind?: string | undefined
  status?: JobStatus | undefined
  /** Only those of this repo, by its present name. */
  repo?: { type: RepoType; ns: string; name: string } | undefined
}

function jobsSeenBy({ actor }: Pick<Ctx, 'actor'>, db: { q: Reads; t: Tables }, filter: SQL | undefined) {
  const { jobs, repos, namespaces } = db.t
  const creators = aliasedTable(namespaces, 'creators')
  return db.q
    .select({
      job: getTableColumns(jobs),
      type: repos.type,
      ns: namespaces.name,
      name: repos.name,
      creator: creators.name,
    })
    .from(jobs)
    .leftJoin(repos, eq(repos.id, jobs.repo_id))
    .leftJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .leftJoin(creators, eq(creators.id, jobs.created_by))
    .where(and(visibleJobs(actor, db), filter))
}

type Joined = {
  job: JobRow
  type: RepoType | null
  ns: string | null
  name: string | null
  creator: string | null
}

const named = ({ job, type, ns, name, creator }: Joined): Job => ({
  ...job,
  creator,
  repo: type && ns && name ? { type, ns, name } : null,
})

/** A page of the jobs the caller may see, newest first, older than the job `after`. */
export async function listJobs(
  ctx: Ctx,
  { mine, kind, status, repo }: JobFilters,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<Page<Job, string>> {
  const user = requireScope(ctx.actor, 'read')
  const { jobs, repos, namespaces } = ctx.db.t
  const filter = and(
    repo && eq(repos.type, repo.type),
    repo && eq(repos.name_key, repo.name.toLowerCase()),
    repo && eq(namespaces.name_key, repo.ns.toLowerCase()),
    repo && isNull(repos.deleted_at),
    mine ? eq(jobs.created_by, user.id) : undefined,
    kind === undefined ? undefined : eq(jobs.kind, kind),
    status === undefined ? undefined : eq(jobs.status, status),
    after === undefined ? undefined : lt(jobs.id, after),
  )
  const { items, ...next } = await readPage(
    limit,
    (count) => jobsSeenBy(ctx, ctx.db, filter).orderBy(desc(jobs.id)).limit(count),
    ({ job }) => job.id,
  )
  return { items: items.map(named), ...next }
}

/** The job, or Problem `not-found` when there is none or the caller has no business with it. */
export async function getJob(
  ctx: Pick<Ctx, 'db' | 'actor'>,
  id: string,
  scope: 'read' | 'write' = 'read',
  db: { q: Reads; t: Tables } = ctx.db,
): Promise<Job> {
  requireScope(ctx.actor, scope)
  const [row] = await jobsSeenBy(ctx, db, eq(db.t.jobs.id, id))
  if (!row) throw new Problem('not-found', { detail: 'There is no such job.' })
  return named(row)
}
