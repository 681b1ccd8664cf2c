import { aliasedTable, and, asc, eq, sql, type SQL } from 'drizzle-orm'
import type { DiffSide, DiscussionEventType, ReviewVerdict } from '../../../shared/vocabulary.ts'
import {
  hasShortId,
  jsonHex,
  jsonRow,
  newId,
  type JsonRow,
  type Tables,
  type Tx,
} from '../../stores/db/index.ts'
import type { Reader } from './queries.ts'
import type { DiffLine } from '../../core/git/index.ts'
import type { SetChange } from './set-change.ts'
import { notifyOfEntry } from './notifications/notify.ts'

/** An entry of a thread. */
export interface DiscussionEvent {
  id: string
  type: DiscussionEventType
  authorId: string | null
  author: string | null
  createdAt: Date
  edits: number
  editedAt: Date | null
  editedBy: string | null
  hiddenAt: Date | null
  /** Of a comment; empty once it is hidden. */
  body: string | null
  before: string | null
  after: string | null
  /** 40-hex. */
  commit: string | null
  /** Of a review comment, as `Place` has them. */
  path: string | null
  side: DiffSide | null
  line: number | null
  startLine: number | null
  fileOid: string | null
  excerpt: DiffLine[] | null
  /** The first comment of its thread, where that is another one; of a change of a thread, which. */
  threadId: string | null
  /** Of the first comment of a thread. */
  resolvedAt: Date | null
  /** Of a review. */
  verdict: ReviewVerdict | null
  /** The review that a comment was sent with. */
  reviewId: string | null
  /** Of a change of labels or of assignees. */
  change: SetChange | null
}

function rowOf({ discussion_events: e, namespaces }: Tables) {
  const editors = aliasedTable(namespaces, 'editors')
  const row: JsonRow<DiscussionEvent> = jsonRow({
    id: e.id,
    type: e.type,
    authorId: e.author_id,
    author: sql<string | null>`${namespaces.name}`,
    createdAt: e.created_at,
    edits: e.edits,
    editedAt: e.edited_at,
    editedBy: sql<string | null>`${editors.name}`,
    hiddenAt: e.hidden_at,
    body: e.body,
    before: e.before,
    after: e.after,
    commit: jsonHex(e.commit_oid),
    path: e.path,
    side: e.side,
    line: e.line,
    startLine: e.start_line,
    fileOid: jsonHex(e.file_oid),
    excerpt: e.excerpt,
    threadId: e.thread_id,
    resolvedAt: e.resolved_at,
    verdict: e.verdict,
    reviewId: e.review_id,
    change: e.change,
  })
  return { row, editors }
}

/** Entries as `select` makes them of their row. */
function eventsBy<T>({ q, t }: Reader, select: (row: JsonRow<DiscussionEvent>) => SQL<T>) {
  const { row, editors } = rowOf(t)
  const { discussion_events: e, namespaces } = t
  return q
    .select({ found: select(row) })
    .from(e)
    .leftJoin(namespaces, eq(namespaces.id, e.author_id))
    .leftJoin(editors, eq(editors.id, e.edited_by))
}

/** The whole thread, oldest first. */
export async function listEvents(reader: Reader, discussionId: string): Promise<DiscussionEvent[]> {
  const { discussion_events: e } = reader.t
  const thread = eventsBy(reader, (row) => row.all([asc(e.id)]))
  const [row] = await thread.where(eq(e.discussion_id, discussionId))
  return row?.found ?? []
}

/** The entry of this id in this very thread. */
export async function findEvent(
  reader: Reader,
  discussionId: string,
  id: string,
): Promise<DiscussionEvent | undefined> {
  const { discussion_events: e } = reader.t
  const one = eventsBy(reader, (row) => row.one)
  const [row] = await one.where(and(eq(e.discussion_id, discussionId), isEvent(e, id)))
  return row?.found
}

/** Hub clients know an id by its short form. */
const isEvent = ({ id }: Tables['discussion_events'], text: string) =>
  text.length === 24 ? hasShortId(id, text) : eq(id, text)

/**
 * Adds an entry to a thread, and notifies those who take part in it or watch the repo, unless they hear of it otherwise;
 * answers its id.
 */
export async function addEvent(
  tx: Tx,
  event: Omit<Tables['discussion_events']['$inferInsert'], 'id' | 'edits'>,
  { isHeard = true }: { isHeard?: boolean } = {},
): Promise<string> {
  const id = newId()
  await tx.q.insert(tx.t.discussion_events).values({ ...event, id, edits: 0 })
  if (!isHeard) return id
  await notifyOfEntry(tx, {
    id,
    discussionId: event.discussion_id,
    type: event.type,
    authorId: event.author_id ?? null,
    createdAt: event.created_at,
  })
  return id
}
