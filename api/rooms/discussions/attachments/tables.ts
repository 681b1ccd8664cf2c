import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { attachmentTypes } from '../../../../shared/vocabulary.ts'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** Images that people put into comments. Only its uploader can see an image until a comment shows it. */
export const attachmentTables = (c: Columns, events: { id: AnySQLiteColumn }) => {
  const attachments = c.table(
    'attachments',
    {
      /** In its address and in the key of its bytes. */
      id: c.id(),
      user_id: c.text().notNull(),
      type: c.oneOf([...attachmentTypes]).notNull(),
      size: c.bigint().notNull(),
      /** Of its bytes; null for one stored before this was noted, until its first scrub. */
      sha256: c.text(),
      /** Since when its bytes are known to be damaged: it is not shown any more. */
      corrupt_at: c.time(),
      created_at: c.time().notNull(),
      /** Since when no comment has shown it; null while one does. */
      unused_since: c.time(),
    },
    (t) => [
      c.index('attachments_user').on(t.user_id, t.unused_since),
      c.index('attachments_unused').on(t.unused_since),
    ],
  )
  return {
    attachments,
    /** Which comments show an image. They go with their thread, and so with the repo. */
    attachment_uses: c.table(
      'attachment_uses',
      {
        attachment_id: c
          .text()
          .notNull()
          .references(() => attachments.id, { onDelete: 'cascade' }),
        event_id: c
          .text()
          .notNull()
          .references(() => events.id, { onDelete: 'cascade' }),
        repo_id: c.text().notNull(),
      },
      (t) => [
        c.primaryKey({ columns: [t.attachment_id, t.event_id] }),
        c.index('attachment_uses_event').on(t.event_id),
      ],
    ),
  }
}
