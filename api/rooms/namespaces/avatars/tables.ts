import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { avatarTypes } from '../../../../shared/vocabulary.ts'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** Avatars that were uploaded: at most one for a user or an organisation. */
export const avatarTables = (c: Columns, namespaces: { id: AnySQLiteColumn }) => ({
  avatars: c.table(
    'avatars',
    {
      /** In its address and in the key of its bytes: another picture has another id. */
      id: c.id(),
      namespace_id: c
        .text()
        .notNull()
        .references(() => namespaces.id),
      type: c.oneOf([...avatarTypes]).notNull(),
      size: c.bigint().notNull(),
      sha256: c.text().notNull(),
      /** Since when its bytes are known to be damaged: initials are shown instead. */
      corrupt_at: c.time(),
      created_at: c.time().notNull(),
    },
    (t) => [c.uniqueIndex('avatars_namespace').on(t.namespace_id)],
  ),
})
