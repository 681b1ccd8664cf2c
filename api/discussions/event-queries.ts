import { aliasedTable, and, asc, eq, sql } from 'drizzle-orm'
import type { DiscussionEventType } from '../../shared/vocabulary.ts'
import { hasShortId, jsonHex, jsonRow, newId, type Tables, type Tx } from '../db/index.ts'
import type { Reader } from './queries.ts'

/** An entry of a thread. */
export interface DiscussionEvent {
  id: string
  type: DiscussionEventType
  authorId: string | null
  author: string | null
  createdAt: Date
  /** Of a comment; empty once it is hidden. */
  body?: string
  edits: number
  editedAt: Date | null
  editedBy: string | null
  isHidden: boolean
  before?: string
  after?: string
  /** 40-hex. */
  commit?: string
}

/** Threads are long: each entry is read as one value. */
function eventRows({ q, t }: Reader) {
  const { discussion_events: e, namespaces } = t
  const editors = aliasedTable(namespaces, 'editors')
  const event = jsonRow({
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
  }).one
  return q
    .select({ event })
    .from(e)
    .leftJoin(namespaces, eq(namespaces.id, e.author_id))
    .leftJoin(editors, eq(editors.id, e.edited_by))
}

function toEvent({ event }: Awaited<ReturnType<typeof eventRows>>[number]): DiscussionEvent {
  const { hiddenAt, body, before, after, commit, ...common } = event
  return {
    ...common,
    isHidden: hiddenAt !== null,
    ...(body === null ? {} : { body }),
    ...(before === null ? {} : { before }),
    ...(after === null ? {} : { after }),
    ...(commit === null ? {} : { commit }),
  }
}

/** The whole thread, oldest first. */
export async function listEvents(reader: Reader, discussionId: string): Promise<DiscussionEvent[]> {
  const { discussion_events: e } = reader.t
  const rows = await eventRows(reader).where(eq(e.discussion_id, discussionId)).orderBy(asc(e.id))
  return rows.map(toEvent)
}

/** The entry of this id in this very thread. */
export async function findEvent(
  reader: Reader,
  discussionId: string,
  id: string,
): Promise<DiscussionEvent | undefined> {
  const { discussion_events: e } = reader.t
  const [row] = await eventRows(reader).where(and(eq(e.discussion_id, discussionId), isEvent(e, id)))
  return row && toEvent(row)
}

/** Hub clients know an id by its short form. */
const isEvent = ({ id }: Tables['discussion_events'], text: string) =>
  text.length === 24 ? hasShortId(id, text) : eq(id, text)

/** Adds an entry to a thread; answers its id. */
export async function addEvent(
  { q, t: { discussion_events } }: Tx,
  event: Omit<Tables['discussion_events']['$inferInsert'], 'id' | 'edits'>,
): Promise<string> {
  const id = newId()
  await q.insert(discussion_events).values({ ...event, id, edits: 0 })
  return id
}
