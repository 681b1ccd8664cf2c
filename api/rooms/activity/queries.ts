import { and, desc, eq, lt, type AnyColumn, type SQL } from 'drizzle-orm'
import { visibleRepos, type Actor, type Policy } from '../../core/access/index.ts'
import type { Db } from '../../stores/db/index.ts'
import type { DiscussionKind, RepoType } from '../../../shared/vocabulary.ts'
import { HEADS, isCreatedBy, isMovedBy, isOpenedBy } from './kinds.ts'

/** Something a person did in a repo; without a commit or a discussion: they created it. */
export interface Activity {
  /** Begins with the time, so that ids of all kinds sort together. */
  id: string
  at: Date
  repo: { type: RepoType; ns: string; name: string }
  /** `title` is `null` once the commit is gone. */
  commit?: { oid: Buffer; branch: string; title: string | null }
  discussion?: { num: number; kind: DiscussionKind; title: string }
}

/** What of whom, for whom, from where on. */
interface Wanted {
  userId: string
  viewer: Actor
  policy: Policy
  /** Id of the entry before the first one. */
  after: string | undefined
  count: number
}

/** The address of a joined repo. */
export const repoOf = ({ t: { repos, namespaces } }: Db) => ({
  type: repos.type,
  ns: namespaces.name,
  name: repos.name,
})

/** The repo of each entry must be visible: joined are `repos` and, on its owner, `namespaces`. */
const seen = (db: Db, id: AnyColumn, { viewer, policy, after }: Wanted): SQL | undefined =>
  and(after === undefined ? undefined : lt(id, after), visibleRepos(viewer, db, policy))

async function createdRepos(db: Db, wanted: Wanted): Promise<Activity[]> {
  const { repos, namespaces } = db.t
  return db.q
    .select({ id: repos.id, at: repos.created_at, repo: repoOf(db) })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(isCreatedBy(db, wanted.userId), seen(db, repos.id, wanted)))
    .orderBy(desc(repos.id))
    .limit(wanted.count)
}

/** Each move of a branch is one entry, with the commit that it led to. */
async function commits(db: Db, wanted: Wanted): Promise<Activity[]> {
  const { git_ref_log: log, git_commits: c, repos, namespaces } = db.t
  const rows = await db.q
    .select({
      id: log.id,
      at: log.at,
      oid: log.new_oid,
      ref: log.name,
      title: c.subject,
      repo: repoOf(db),
    })
    .from(log)
    .innerJoin(repos, eq(repos.id, log.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .leftJoin(c, and(eq(c.repo_id, log.repo_id), eq(c.oid, log.new_oid)))
    .where(and(isMovedBy(db, wanted.userId), seen(db, log.id, wanted)))
    .orderBy(desc(log.id))
    .limit(wanted.count)
  return rows.flatMap(({ oid, ref, title, ...entry }) =>
    oid ? [{ ...entry, commit: { oid, branch: ref.slice(HEADS.length), title } }] : [],
  )
}

async function openedDiscussions(db: Db, wanted: Wanted): Promise<Activity[]> {
  const { discussions: d, repos, namespaces } = db.t
  return db.q
    .select({
      id: d.id,
      at: d.created_at,
      repo: repoOf(db),
      discussion: { num: d.num, kind: d.kind, title: d.title },
    })
    .from(d)
    .innerJoin(repos, eq(repos.id, d.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(isOpenedBy(db, wanted.userId), seen(db, d.id, wanted)))
    .orderBy(desc(d.id))
    .limit(wanted.count)
}

/** The newest entries of all kinds. */
export async function findActivity(db: Db, wanted: Wanted): Promise<Activity[]> {
  const kinds = await Promise.all([
    createdRepos(db, wanted),
    commits(db, wanted),
    openedDiscussions(db, wanted),
  ])
  return kinds
    .flat()
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, wanted.count)
}
