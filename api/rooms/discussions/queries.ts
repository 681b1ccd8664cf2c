import { and, count, desc, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { DiscussionKind, DiscussionStatus } from '../../../shared/vocabulary.ts'
import type { Reads, Tables, Tx } from '../../stores/db/index.ts'
import { containing } from '../repos/index.ts'
import { keyOfName } from './labels/name-key.ts'

/** A database or an open transaction: anything that reads. */
export interface Reader {
  q: Reads
  t: Tables
}

/** A discussion or pull request without its thread. */
export interface Discussion {
  id: string
  repoId: string
  num: number
  kind: DiscussionKind
  status: DiscussionStatus
  title: string
  authorId: string | null
  /** Username; `null` when the account is gone. */
  author: string | null
  commentCount: number
  createdAt: Date
  updatedAt: Date
  /** Of a pull request. */
  pull?: PullRequest
}

/** Oids are 40-hex. */
export interface PullRequest {
  /** `refs/pr/N` */
  ref: string
  /** Where that is now. */
  head: string
  /** Full name of the branch it is to be merged into. */
  baseRef: string
  /** The commit of that branch it was opened on. */
  openedOn: string
  /** Opened without commits or made a draft by somebody, and not yet marked as ready. */
  isDraft: boolean
  /** `commit` is what the base became; `base` and `head` are what was compared then. */
  merged?: { at: Date; commit: string; base: string; head: string }
}

export const pullRef = (num: number): string => `refs/pr/${num}`

/** An oid's 40 digits. */
const hexOf = (oid: Buffer | null): string => oid?.toString('hex') ?? ''

/** Which of a repo's discussions. */
export interface DiscussionFilters {
  kind?: DiscussionKind | undefined
  status?: DiscussionStatus | undefined
  /** Username, in any case. */
  author?: string | undefined
  /** Id or name of a label of the repo, the latter in any case. */
  label?: string | undefined
  /** Username, in any case. */
  assignee?: string | undefined
  /** Each must occur in the title, in any case, or be the number. */
  words?: string[] | undefined
}

function rowsOf({ q, t }: Reader) {
  const { discussions: d, namespaces, git_refs } = t
  const isRef = and(eq(git_refs.repo_id, d.repo_id), eq(git_refs.name, sql`'refs/pr/' || ${d.num}`))
  return q
    .select({ d, author: namespaces.name, head: git_refs.oid })
    .from(d)
    .leftJoin(namespaces, eq(namespaces.id, d.author_id))
    .leftJoin(git_refs, isRef)
}

function toDiscussion({ d, author, head }: Awaited<ReturnType<typeof rowsOf>>[number]): Discussion {
  const merged = d.merged_at && {
    at: d.merged_at,
    commit: hexOf(d.merge_oid),
    base: hexOf(d.merged_base_oid),
    head: hexOf(d.merged_head_oid),
  }
  const pull = d.kind === 'pull_request' && {
    ref: pullRef(d.num),
    head: hexOf(head),
    baseRef: d.base_ref ?? '',
    openedOn: hexOf(d.base_oid),
    isDraft: d.is_draft,
    ...(merged ? { merged } : {}),
  }
  return {
    id: d.id,
    repoId: d.repo_id,
    num: d.num,
    kind: d.kind,
    status: d.status,
    title: d.title,
    authorId: d.author_id,
    author,
    commentCount: d.comment_count,
    createdAt: d.created_at,
    updatedAt: d.updated_at,
    ...(pull ? { pull } : {}),
  }
}

/** The discussion of this number, if any. */
export async function findDiscussion(
  reader: Reader,
  repoId: string,
  num: number,
): Promise<Discussion | undefined> {
  const { discussions: d } = reader.t
  const [row] = await rowsOf(reader).where(and(eq(d.repo_id, repoId), eq(d.num, num)))
  return row && toDiscussion(row)
}

function matching(reader: Reader, repoId: string, filters: DiscussionFilters) {
  const { discussions: d } = reader.t
  const { kind, status, author, label, assignee, words = [] } = filters
  return and(
    eq(d.repo_id, repoId),
    kind === undefined ? undefined : eq(d.kind, kind),
    status === undefined ? undefined : eq(d.status, status),
    author === undefined ? undefined : eq(d.author_id, personNamed(reader, author)),
    label === undefined ? undefined : inArray(d.id, withLabel(reader, repoId, label)),
    assignee === undefined ? undefined : inArray(d.id, assignedTo(reader, assignee)),
    ...words.map((word) => or(containing(sql`lower(${d.title})`, word), isNumber(d, word))),
  )
}

const personNamed = ({ q, t: { namespaces } }: Reader, username: string) =>
  q.select({ id: namespaces.id }).from(namespaces).where(eq(namespaces.name_key, username.toLowerCase()))

function withLabel({ q, t }: Reader, repoId: string, label: string) {
  const { discussion_labels: l, discussion_label_uses: u } = t
  const isMeant = or(eq(l.id, label), eq(l.name_key, keyOfName(label)))
  return q
    .select({ id: u.discussion_id })
    .from(u)
    .innerJoin(l, eq(l.id, u.label_id))
    .where(and(eq(l.repo_id, repoId), isMeant))
}

function assignedTo(reader: Reader, username: string) {
  const { discussion_assignees: a } = reader.t
  return reader.q
    .select({ id: a.discussion_id })
    .from(a)
    .where(eq(a.user_id, personNamed(reader, username)))
}

/** `12` and `#12`, of at most nine digits: the numbers there can be. */
function isNumber({ num }: Tables['discussions'], word: string) {
  const digits = /^#?([1-9]\d{0,8})$/.exec(word)?.[1]
  return digits === undefined ? undefined : eq(num, Number(digits))
}

/** Newest first: behind the number `before`, or from the `offset`-th. */
export async function listDiscussions(
  reader: Reader,
  repoId: string,
  filters: DiscussionFilters,
  { before, offset = 0, limit }: { before?: number | undefined; offset?: number; limit: number },
): Promise<Discussion[]> {
  const { discussions: d } = reader.t
  const isBehind = before === undefined ? undefined : lt(d.num, before)
  const rows = await rowsOf(reader)
    .where(and(matching(reader, repoId, filters), isBehind))
    .orderBy(desc(d.num))
    .limit(limit)
    .offset(offset)
  return rows.map(toDiscussion)
}

/** How many there are of each status; of those that `filters` does not want none. */
export async function countDiscussions(
  reader: Reader,
  repoId: string,
  filters: DiscussionFilters,
): Promise<Record<DiscussionStatus, number>> {
  const { discussions: d } = reader.t
  const rows = await reader.q
    .select({ status: d.status, n: count() })
    .from(d)
    .where(matching(reader, repoId, filters))
    .groupBy(d.status)
  const counts = { open: 0, closed: 0 }
  for (const { status, n } of rows) counts[status] = n
  return counts
}

/** Draws the repo's next number; other callers wait until the transaction ends. */
export async function nextNumber({ q, t: { discussion_counters: c } }: Tx, repoId: string): Promise<number> {
  const [row] = await q
    .insert(c)
    .values({ repo_id: repoId, last: 1 })
    .onConflictDoUpdate({ target: c.repo_id, set: { last: sql`${c.last} + 1` } })
    .returning({ last: c.last })
  if (!row) throw new Error('a number was drawn, but none came back')
  return row.last
}

/** Changes columns of a discussion. */
export async function setDiscussion(
  { q, t: { discussions } }: Tx,
  id: string,
  set: Partial<Tables['discussions']['$inferInsert']>,
): Promise<void> {
  await q.update(discussions).set(set).where(eq(discussions.id, id))
}
