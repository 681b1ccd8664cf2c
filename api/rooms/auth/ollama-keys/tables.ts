import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** Public keys that people have saved, with which `ollama` signs in, and the nonces that were used. */
export const ollamaKeyTables = (c: Columns) => ({
  ollama_keys: c.table(
    'ollama_keys',
    {
      id: c.id(),
      user_id: c.text().notNull(),
      name: c.text().notNull(),
      /** One line, `ssh-ed25519 AAAA…`, without a comment. */
      public_key: c.text().notNull(),
      /** `SHA256:…` of the key, as `ssh-keygen -l` shows it. */
      fingerprint: c.text().notNull(),
      created_at: c.time().notNull(),
      last_used_at: c.time(),
    },
    (t) => [
      c.uniqueIndex('ollama_keys_fingerprint').on(t.fingerprint),
      c.index('ollama_keys_user').on(t.user_id),
    ],
  ),
  ollama_nonces: c.table(
    'ollama_nonces',
    {
      /** SHA-256 of the key's fingerprint and the nonce. */
      digest: c.id(),
      expires_at: c.time().notNull(),
    },
    (t) => [c.index('ollama_nonces_expires').on(t.expires_at)],
  ),
})
