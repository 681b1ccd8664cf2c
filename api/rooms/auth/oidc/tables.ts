import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** Accounts at sign-in providers, and the sign-ins that have been finished. */
export const oidcTables = (c: Columns) => ({
  identities: c.table(
    'identities',
    {
      id: c.id(),
      user_id: c.text().notNull(),
      /** `oidc.providers[].id`. */
      provider: c.text().notNull(),
      /** The claim `sub`: the only thing an account is found by. */
      subject: c.text().notNull(),
      /** What the provider calls the person, for people to read. */
      name: c.text().notNull(),
      created_at: c.time().notNull(),
      last_used_at: c.time().notNull(),
    },
    (t) => [
      c.uniqueIndex('identities_subject').on(t.provider, t.subject),
      c.uniqueIndex('identities_user').on(t.user_id, t.provider),
    ],
  ),
  finished_sign_ins: c.table(
    'finished_sign_ins',
    {
      /** SHA-256 of `state`. A sign-in is finished once. */
      digest: c.id(),
      expires_at: c.time().notNull(),
    },
    (t) => [c.index('finished_sign_ins_expires').on(t.expires_at)],
  ),
})
