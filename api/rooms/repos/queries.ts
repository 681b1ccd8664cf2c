import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import type { AccessRequestStatus, IndexStatus, MirrorState, Role } from '../../../shared/vocabulary.ts'
import type { RepoFacts } from '../../core/access/index.ts'
import {
  changeMark,
  jsonHex,
  jsonOuter,
  jsonRow,
  perTables,
  type JsonRow,
  type Reads,
  type Tables,
  type Tx,
} from '../../stores/db/index.ts'
import { addressKey, redirectKey, type RepoAddress } from './address.ts'

/** A database or an open transaction: anything that reads. */
export interface Reader {
  q: Reads
  t: Tables
}

/** A repo and what it is to one caller. */
export interface Repo extends RepoFacts {
  id: string
  nsKind: 'user' | 'org'
  description: string | null
  defaultBranch: string
  /** 40-hex of the default branch's head; `null` while that branch does not exist. */
  headCommit: string | null
  discussionsEnabled: boolean
  createdBy: string | null
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
  purgingAt: Date | null
  /** Bytes and files at the head of the default branch. */
  headBytes: number
  headFiles: number
  task: string | null
  library: string | null
  licence: string | null
  /** -1 where they are not known. */
  parameters: number
  /** Tokens; `null` where it is not known, as with `rows`. */
  contextLength: number | null
  rows: number | null
  indexStatus: IndexStatus
  likes: number
  isLiked: boolean
  /** Downloads of the last 30 days and of all time. */
  downloads30d: number
  downloadsTotal: number
  trending: number
  /** The repo of another hub that it follows, or did before it was detached. */
  mirror: { upstream: string; repo: string; state: MirrorState } | null
  /** Whether it is a mirror of what its upstream does not show to everybody, read with the token of a person. */
  isPersonalMirror: boolean
  /** Since when an instance admin keeps its content back, and why. */
  disabledAt: Date | null
  disabledReason: string | null
}

/** What a table holds at most one row of for a repo, as a part of that repo's row. */
const one = <T>(what: SQLiteColumn | SQL, table: SQLiteTable, ...where: (SQL | undefined)[]): SQL<T | null> =>
  sql<T | null>`(select ${what} from ${table} where ${and(...where)})`

/** Whom `repoRows` reads for: a row reads it from a table, since its own text has no parameters. */
const callerId = sql.raw('caller.id')

/**
 * What is read of a repo, as JSON: 38 columns of 50 repos took 8 ms of the page that lists them. What a repo may have at
 * most one row of is read by subqueries: with outer joins instead, Postgres took 3 of 4.4 ms to plan in which order to join.
 */
const rowOf = perTables(
  ({ repos, repo_heads: heads, namespaces, collaborators, access_requests, likes, git_refs, mirrors }) =>
    jsonRow({
      id: repos.id,
      type: repos.type,
      namespaceId: repos.namespace_id,
      ns: namespaces.name,
      nsKind: namespaces.kind,
      name: repos.name,
      visibility: repos.visibility,
      gated: repos.gated,
      description: repos.description,
      defaultBranch: repos.default_branch,
      discussionsEnabled: repos.discussions_enabled,
      createdBy: repos.created_by,
      createdAt: repos.created_at,
      updatedAt: repos.updated_at,
      deletedAt: repos.deleted_at,
      purgingAt: repos.purging_at,
      headBytes: heads.bytes,
      headFiles: heads.files,
      task: heads.task,
      library: heads.library,
      licence: heads.licence,
      parameters: heads.parameters,
      contextLength: heads.context_length,
      rows: heads.rows,
      indexStatus: heads.index_status,
      likes: repos.likes,
      downloads30d: repos.downloads_30d,
      downloadsTotal: repos.downloads_total,
      trending: repos.trending,
      disabledAt: repos.disabled_at,
      disabledReason: repos.disabled_reason,
      collaboratorRole: one<Role>(
        collaborators.role,
        collaborators,
        eq(collaborators.repo_id, repos.id),
        eq(collaborators.user_id, callerId),
      ),
      accessStatus: one<AccessRequestStatus>(
        access_requests.status,
        access_requests,
        eq(access_requests.repo_id, repos.id),
        eq(access_requests.user_id, callerId),
      ),
      isLiked: sql<boolean | number>`exists (select 1 from ${likes} where ${eq(likes.repo_id, repos.id)}
        and ${eq(likes.user_id, callerId)})`,
      headCommit: one<string>(
        jsonHex(git_refs.oid),
        git_refs,
        eq(git_refs.repo_id, repos.id),
        eq(git_refs.name, sql`'refs/heads/' || ${repos.default_branch}`),
      ),
      upstream: jsonOuter(mirrors.upstream),
      upstreamRepo: jsonOuter(mirrors.upstream_repo),
      mirrorState: jsonOuter(mirrors.state),
      mirrorReadBy: jsonOuter(mirrors.read_by),
    }),
)

type RepoRow = ReturnType<typeof rowOf> extends JsonRow<infer T> ? T : never

/** Repos as `userId` (empty: no user) sees them; `toRepo` reads a row of it. */
export function repoRows({ q, t }: Reader, userId: string) {
  const { repos, repo_heads: heads, namespaces, mirrors } = t
  return q
    .select({ row: rowOf(t).one })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .innerJoin(heads, eq(heads.repo_id, repos.id))
    .innerJoin(sql`(select ${userId} as id) as caller`, sql`true`)
    .leftJoin(mirrors, eq(mirrors.repo_id, repos.id))
}

export function toRepo({ row: read }: { row: RepoRow }): Repo {
  const { isLiked, upstream, upstreamRepo, mirrorState, mirrorReadBy, ...row } = read
  const isMirrored = upstream !== null && upstreamRepo !== null && mirrorState !== null
  const isMirror = isMirrored && mirrorState !== 'detached'
  return {
    ...row,
    mirror: isMirrored ? { upstream, repo: upstreamRepo, state: mirrorState } : null,
    isMirror,
    isPersonalMirror: isMirror && mirrorReadBy !== null,
    isDeleted: row.deletedAt !== null,
    isDisabled: row.disabledAt !== null,
    isLiked: Boolean(isLiked),
  }
}

/** What an address leads to: the repo that holds it, one that held it before, the one deleted from it last. */
export interface Found {
  live?: Repo
  moved?: Repo
  deleted?: Repo
}

/**
 * One query whether the repo is there, hidden, moved or absent, so that its time tells nothing. Each id has a query of
 * its own within it: joined by "or", they had Postgres read all repos.
 */
export async function findAt(db: Reader, address: RepoAddress, userId: string): Promise<Found> {
  const { repos, namespaces, repo_redirects } = db.t
  const ns = address.ns.toLowerCase()
  const name = address.name.toLowerCase()
  const named = sql`select ${repos.id} from ${repos}
    inner join ${namespaces} on ${namespaces.id} = ${repos.namespace_id}
    where ${namespaces.name_key} = ${ns} and ${repos.name_key} = ${name} and ${repos.type} = ${address.type}`
  const live = sql`(${named} and ${repos.deleted_at} is null)`
  const deleted = sql`(${named} and ${repos.deleted_at} is not null order by ${repos.deleted_at} desc limit 1)`
  const target = sql`(select ${repo_redirects.repo_id} from ${repo_redirects}
    where ${repo_redirects.address} = ${redirectKey(address)})`
  const rows = await repoRows(db, userId).where(sql`${repos.id} in (${live}, ${deleted}, ${target})`)
  const found: Found = {}
  for (const repo of rows.map(toRepo)) {
    const is = repo.ns.toLowerCase() === ns && repo.name.toLowerCase() === name
    found[!is ? 'moved' : repo.isDeleted ? 'deleted' : 'live'] = repo
  }
  return found
}

/** The repo `id` as `userId` meets it. */
export async function findById(db: Reader, id: string, userId: string): Promise<Repo | undefined> {
  const [row] = await repoRows(db, userId).where(eq(db.t.repos.id, id))
  return row && toRepo(row)
}

/** The repos of these ids as `userId` meets them, by id; whether they may see them is not asked. */
export async function findReposById(
  db: Reader,
  ids: readonly string[],
  userId: string,
): Promise<Map<string, Repo>> {
  if (ids.length === 0) return new Map()
  const rows = await repoRows(db, userId).where(inArray(db.t.repos.id, [...new Set(ids)]))
  return new Map(rows.map((row) => [row.row.id, toRepo(row)]))
}

/** Keeps others from changing the repo until the transaction ends. */
export async function lockRepo({ q, t: { repos } }: Tx, id: string): Promise<void> {
  await q
    .update(repos)
    .set({ likes: sql`${repos.likes}` })
    .where(eq(repos.id, id))
}

/** Changes columns of a repo, and marks it for lists. */
export async function setRepo(
  { q, t: { repos } }: Tx,
  id: string,
  set: SQLiteUpdateSetSource<Tables['repos']>,
): Promise<void> {
  await q
    .update(repos)
    .set({ ...set, changed: changeMark(repos.changed) })
    .where(eq(repos.id, id))
}

/** Has lists read a repo again, after a change of what other rooms know of it. */
export const markChanged = (tx: Tx, id: string): Promise<void> => setRepo(tx, id, {})

/** The repo that holds the name in a namespace, if any. */
export async function holderOf(
  db: Reader,
  at: { type: Repo['type']; namespaceId: string; name: string },
): Promise<Repo | undefined> {
  const key = addressKey(at.type, at.namespaceId, at.name)
  const [row] = await repoRows(db, '').where(eq(db.t.repos.address_key, key))
  return row && toRepo(row)
}

/** Lets the old address lead to the repo until the name is used again. */
export async function addRedirect(
  { q, t: { repo_redirects } }: Tx,
  from: RepoAddress,
  repoId: string,
  now: Date,
): Promise<void> {
  const set = { repo_id: repoId, created_at: now }
  await q
    .insert(repo_redirects)
    .values({ address: redirectKey(from), ...set })
    .onConflictDoUpdate({ target: repo_redirects.address, set })
}

/** Ends the redirect of an address that a repo takes. */
export async function endRedirect({ q, t: { repo_redirects } }: Tx, at: RepoAddress): Promise<void> {
  await q.delete(repo_redirects).where(eq(repo_redirects.address, redirectKey(at)))
}
