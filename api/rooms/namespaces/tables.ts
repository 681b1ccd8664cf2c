import { roles, visibilities } from '../../../shared/vocabulary.ts'
import type { Columns } from '../../stores/db/columns.sqlite.ts'
import { avatarTables } from './avatars/tables.ts'
import { followTables } from './follows/tables.ts'
import { readmeTables } from './readme/tables.ts'

/** Namespaces (users and organisations share one name space), the account part of users, members. */
export const namespaceTables = (c: Columns) => {
  const namespaces = c.table(
    'namespaces',
    {
      id: c.id(),
      name: c.text().notNull(),
      /** Lower-cased name: names are unique case-insensitively, shown as created. */
      name_key: c.text().notNull(),
      kind: c.oneOf(['user', 'org']).notNull(),
      display_name: c.text().notNull(),
      bio: c.text(),
      website: c.text(),
      /** How many bytes its repos may hold together; NULL: any number. */
      quota_bytes: c.bigint(),
      /** Of repos that clients create without saying; NULL: public, as on the public hub. */
      default_visibility: c.oneOf([...visibilities]),
      /** Of a namespace that was made for mirrors and has no members: the upstream they are of. */
      mirror_of: c.text(),
      created_at: c.time().notNull(),
    },
    (t) => [
      c.uniqueIndex('namespaces_name_key').on(t.name_key),
      // All that a search by name reads, in the order of its list: 100 000 rows take 25 ms then, 200 without.
      c.index('namespaces_search').on(t.kind, t.name_key, t.display_name, t.id),
    ],
  )
  const users = c.table(
    'users',
    {
      /** The user's namespace has the same id. */
      id: c.id().references(() => namespaces.id),
      password_hash: c.text(),
      /** Whether the server made the password up at its first start, and it was not replaced since. */
      password_generated: c.bool().notNull().default(false),
      email: c.text(),
      email_key: c.text(),
      email_verified: c.bool().notNull(),
      pending_email: c.text(),
      is_admin: c.bool().notNull(),
      /** What made the user an instance admin: NULL by hand, else `oidc:{provider}`. */
      admin_source: c.text(),
      disabled: c.bool().notNull(),
      created_at: c.time().notNull(),
      last_seen_at: c.time(),
    },
    (t) => [c.uniqueIndex('users_email_key').on(t.email_key)],
  )
  const members = c.table(
    'members',
    {
      org_id: c
        .text()
        .notNull()
        .references(() => namespaces.id),
      user_id: c
        .text()
        .notNull()
        .references(() => users.id),
      role: c.oneOf([...roles]).notNull(),
      /** `manual` or `oidc:{provider}`. */
      source: c.text().notNull(),
      joined_at: c.time().notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.org_id, t.user_id] }), c.index('members_user').on(t.user_id)],
  )
  return {
    namespaces,
    users,
    members,
    ...avatarTables(c, namespaces),
    ...followTables(c, namespaces),
    ...readmeTables(c, namespaces),
  }
}

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof namespaceTables> {}
}
