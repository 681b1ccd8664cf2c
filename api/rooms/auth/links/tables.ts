import type { Role } from '../../../../shared/vocabulary.ts'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** What the account gets that an invite makes. */
export interface Invite {
  username?: string
  display_name?: string
  email?: string
  is_admin?: boolean
  orgs?: { ns: string; role: Role }[]
  note?: string
}

/** Links that admins pass on. Secrets are stored as SHA-256 only. */
export const linkTables = (c: Columns) => ({
  links: c.table(
    'links',
    {
      id: c.id(),
      kind: c.oneOf(['invite', 'reset', 'email']).notNull(),
      digest: c.text().notNull(),
      /** Whose password or address it changes; NULL of an invite. */
      user_id: c.text(),
      /** Of an e-mail link: the pending address that it confirms. */
      email: c.text(),
      invite: c.json<Invite>(),
      created_by: c.text(),
      created_at: c.time().notNull(),
      expires_at: c.time().notNull(),
      /** Set by the one who redeems it, in the transaction of what it does. */
      used_at: c.time(),
    },
    (t) => [
      c.uniqueIndex('links_digest').on(t.digest),
      c.index('links_user').on(t.user_id),
      c.index('links_expires').on(t.expires_at),
    ],
  ),
})
