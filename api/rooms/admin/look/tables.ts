import { announcementKinds, avatarTypes } from '../../../../shared/vocabulary.ts'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** What admins have the server call itself and say to everyone: one row each, or none while nothing was set. */
export const lookTables = (c: Columns) => ({
  instance_look: c.table('instance_look', {
    /** Always `instance`. */
    id: c.id(),
    /** NULL: `Arsenal`. */
    name: c.text(),
    /** Markdown for visitors; NULL: the words of the first page. */
    welcome: c.text(),
    announcement: c.text(),
    announcement_kind: c
      .oneOf([...announcementKinds])
      .notNull()
      .default('info'),
    /** NULL: until it is taken away. */
    announcement_ends_at: c.time(),
    updated_at: c.time().notNull(),
  }),
  /** At most one row, guarded by the row of `instance_look`. */
  instance_logos: c.table('instance_logos', {
    /** In its address and in the key of its bytes: another logo has another id. */
    id: c.id(),
    type: c.oneOf([...avatarTypes]).notNull(),
    size: c.bigint().notNull(),
    sha256: c.text().notNull(),
    /** Since when its bytes are known to be damaged: the logo of Arsenal is shown instead. */
    corrupt_at: c.time(),
    created_at: c.time().notNull(),
  }),
})
