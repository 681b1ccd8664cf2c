import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** Passkeys (WebAuthn credentials) of local accounts, the challenges that were answered, and recovery codes. */
export const passkeyTables = (c: Columns) => ({
  passkeys: c.table(
    'passkeys',
    {
      id: c.id(),
      user_id: c.text().notNull(),
      name: c.text().notNull(),
      /** The credential's own id, in base64url. */
      credential_id: c.text().notNull(),
      /** COSE key in base64url. */
      public_key: c.text().notNull(),
      /** The authenticator's count of signatures; 0 where it does not count. */
      counter: c.bigint().notNull(),
      transports: c.json<string[]>().notNull(),
      created_at: c.time().notNull(),
      last_used_at: c.time(),
    },
    (t) => [c.uniqueIndex('passkeys_credential').on(t.credential_id), c.index('passkeys_user').on(t.user_id)],
  ),
  used_challenges: c.table(
    'used_challenges',
    {
      /** SHA-256 of the challenge. Each is answered once. */
      digest: c.id(),
      expires_at: c.time().notNull(),
    },
    (t) => [c.index('used_challenges_expires').on(t.expires_at)],
  ),
  recovery_codes: c.table(
    'recovery_codes',
    {
      id: c.id(),
      user_id: c.text().notNull(),
      /** SHA-256 of the user's id and the code. */
      digest: c.text().notNull(),
      created_at: c.time().notNull(),
      used_at: c.time(),
    },
    (t) => [
      c.uniqueIndex('recovery_codes_digest').on(t.digest),
      c.index('recovery_codes_user').on(t.user_id),
    ],
  ),
})
