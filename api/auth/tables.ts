import type { Fence, Scope } from '../../shared/vocabulary.ts'
import type { Columns } from '../db/columns.sqlite.ts'

/** Sessions, Tokens, device logins and the throttle. Secrets are stored as SHA-256 only. */
export const authTables = (c: Columns) => ({
  sessions: c.table(
    'sessions',
    {
      id: c.id(),
      user_id: c.text().notNull(),
      digest: c.text().notNull(),
      created_at: c.time().notNull(),
      last_seen_at: c.time().notNull(),
      expires_at: c.time().notNull(),
      ip: c.text().notNull(),
      user_agent: c.text().notNull(),
    },
    (t) => [c.uniqueIndex('sessions_digest').on(t.digest), c.index('sessions_user').on(t.user_id)],
  ),
  tokens: c.table(
    'tokens',
    {
      id: c.id(),
      user_id: c.text().notNull(),
      name: c.text().notNull(),
      digest: c.text().notNull(),
      /** First characters of the secret, to recognise it by. */
      prefix: c.text().notNull(),
      scopes: c.json<Scope[]>().notNull(),
      fence: c.json<Fence>(),
      created_at: c.time().notNull(),
      last_used_at: c.time(),
      expires_at: c.time(),
    },
    (t) => [
      c.uniqueIndex('tokens_digest').on(t.digest),
      // Hub clients store a token under its name.
      c.uniqueIndex('tokens_user_name').on(t.user_id, t.name),
    ],
  ),
  device_logins: c.table(
    'device_logins',
    {
      id: c.id(),
      device_digest: c.text().notNull(),
      user_code: c.text().notNull(),
      client_id: c.text().notNull(),
      client_name: c.text().notNull(),
      ip: c.text().notNull(),
      status: c.oneOf(['pending', 'approved', 'denied', 'consumed']).notNull(),
      user_id: c.text(),
      /** What the Token made of it may have at most: set at approval. */
      scopes: c.json<Scope[]>(),
      token_expires_at: c.time(),
      interval_s: c.int().notNull(),
      polled_at: c.time(),
      created_at: c.time().notNull(),
      expires_at: c.time().notNull(),
    },
    (t) => [
      c.uniqueIndex('device_logins_digest').on(t.device_digest),
      c.uniqueIndex('device_logins_user_code').on(t.user_code),
    ],
  ),
  throttles: c.table('throttles', {
    /** `u:{lower-case username}` or `ip:{address or IPv6 /64}`. */
    key: c.id(),
    failures: c.int().notNull(),
    window_start: c.time().notNull(),
    locked_until: c.time(),
    /** Lock-outs in a row: each doubles the wait, up to an hour. */
    locks: c.int().notNull(),
  }),
})
