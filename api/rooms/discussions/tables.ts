import { sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import {
  diffSides,
  discussionEventTypes,
  discussionKinds,
  discussionStatuses,
  reviewVerdicts,
} from '../../../shared/vocabulary.ts'
import type { Columns } from '../../stores/db/columns.sqlite.ts'
import { assigneeTables } from './assignees/tables.ts'
import { attachmentTables } from './attachments/tables.ts'
import { labelTables } from './labels/tables.ts'
import { notificationTables } from './notifications/tables.ts'
import { reactionTables } from './reactions/tables.ts'
import { reviewTables } from './review/tables.ts'
import type { DiffLine } from '../../core/git/index.ts'
import type { SetChange } from './set-change.ts'

/** Discussions and pull requests with their threads, which go with their repo. Git oids are 20-byte columns. */
export const discussionTables = (c: Columns, repos: { id: AnySQLiteColumn }) => {
  const ofRepo = () => c.text().references(() => repos.id, { onDelete: 'cascade' })
  const discussions = c.table(
    'discussions',
    {
      id: c.id(),
      repo_id: ofRepo().notNull(),
      /** From 1; discussions and pull requests of a repo share one sequence. */
      num: c.int().notNull(),
      kind: c.oneOf([...discussionKinds]).notNull(),
      status: c.oneOf([...discussionStatuses]).notNull(),
      title: c.text().notNull(),
      author_id: c.text(),
      /** Hidden ones, too. */
      comment_count: c.int().notNull(),
      created_at: c.time().notNull(),
      updated_at: c.time().notNull(),

      // Of a pull request, whose ref is `refs/pr/{num}`.
      /** Full name of the branch it is to be merged into. */
      base_ref: c.text(),
      /** The commit of that branch it was opened on. */
      base_oid: c.bytes(),
      /** Opened without commits or made a draft by somebody, and not yet marked as ready. */
      is_draft: c.bool().notNull().default(false),
      merged_at: c.time(),
      /** What the merge made of the base. */
      merge_oid: c.bytes(),
      /** Where it had left the base when it was merged, and its head then: after a merge git would find no difference. */
      merged_base_oid: c.bytes(),
      merged_head_oid: c.bytes(),
    },
    (t) => [
      c.uniqueIndex('discussions_num').on(t.repo_id, t.num),
      c.index('discussions_author').on(t.author_id, t.id),
      // What changed lately in a repo, for feeds.
      c.index('discussions_updated').on(t.repo_id, t.updated_at),
    ],
  )
  const discussion_events = c.table(
    'discussion_events',
    {
      /** Ids begin with the time: their order is the thread's. */
      id: c.id(),
      discussion_id: c
        .text()
        .notNull()
        .references(() => discussions.id, { onDelete: 'cascade' }),
      type: c.oneOf([...discussionEventTypes]).notNull(),
      author_id: c.text(),
      created_at: c.time().notNull(),
      /** Of a comment: its Markdown, empty once hidden. */
      body: c.text(),
      edits: c.int().notNull(),
      edited_at: c.time(),
      edited_by: c.text(),
      hidden_at: c.time(),
      /** Titles or statuses, of a discussion or of a thread. */
      before: c.text(),
      /** The same; of a commit its subject. Of a request for a review who is asked, or in `before` who no longer is. */
      after: c.text(),
      /** Of a review comment the commit on whose side of the diff its line stands; of a review the head that was read. */
      commit_oid: c.bytes(),

      // Of a review comment, which stands on a line of a diff.
      path: c.text(),
      side: c.oneOf([...diffSides]),
      line: c.int(),
      /** The first of several lines, of which `line` is the last. */
      start_line: c.int(),
      /** The file as it was then: while the pull request has the same one there, the comment is not outdated. */
      file_oid: c.bytes(),
      /** The line and those above it; of several lines those alone. */
      excerpt: c.json<DiffLine[]>(),
      /** The first comment of its thread, where that is another one; of a change of a thread, which. */
      thread_id: c.text(),
      /** Of the first comment of a thread. */
      resolved_at: c.time(),

      /** Of a review. Its text is a comment of it, so that it is edited, hidden and answered as others are. */
      verdict: c.oneOf([...reviewVerdicts]),
      /** The review that a comment was sent with. */
      review_id: c.text(),

      /** Of a change of labels or of assignees. */
      change: c.json<SetChange>(),
    },
    (t) => [
      c.index('discussion_events_thread').on(t.discussion_id, t.id),
      // What somebody wrote lately, for their feed.
      c.index('discussion_events_author').on(t.author_id, t.id),
      c
        .index('discussion_events_reviews')
        .on(t.discussion_id, t.author_id, t.id)
        .where(sql`${t.verdict} is not null`),
    ],
  )
  return {
    discussions,
    discussion_events,
    ...assigneeTables(c, discussions),
    ...attachmentTables(c, discussion_events),
    ...labelTables(c, { repos, discussions }),
    ...notificationTables(c, { discussions, discussion_events }),
    ...reactionTables(c, discussion_events),
    ...reviewTables(c, discussions),
    discussion_counters: c.table('discussion_counters', {
      repo_id: ofRepo().primaryKey(),
      /** The last number given. */
      last: c.int().notNull(),
    }),
  }
}

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof discussionTables> {}
}
