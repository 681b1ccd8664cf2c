import type { Fence, Scope } from '../../../shared/vocabulary.ts'
import type { Columns } from '../../stores/db/columns.sqlite.ts'
import { linkTables } from './links/tables.ts'
import { ollamaKeyTables } from './ollama-keys/tables.ts'
import { oidcTables } from './oidc/tables.ts'
import { passkeyTables } from './passkeys/tables.ts'
import { policyTables } from './policies/tables.ts'

/** Sessions, tokens, device logins, the throttle, known networks, identities, links, passkeys and policies. Secrets are stored as SHA-256 only. */
export const authTables = (c: Columns) => ({
  ...oidcTables(c),
  ...linkTables(c),
  ...ollamaKeyTables(c),
  ...passkeyTables(c),
  ...policyTables(c),
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
      /** The identity it began with; NULL for a password. */
      identity_id: c.text(),
      /** What the provider calls its own session, by which it may end this one. */
      oidc_sid: c.text(),
      /** When its person last proved again who they are; NULL: only when it began. */
      confirmed_at: c.time(),
    },
    (t) => [
      c.uniqueIndex('sessions_digest').on(t.digest),
      c.index('sessions_user').on(t.user_id),
      c.index('sessions_identity').on(t.identity_id),
    ],
  ),
  tokens: c.table(
    'tokens',
    {
      id: c.id(),
      user_id: c.text().notNull(),
      /** The token it was made with, which it does not outlive; NULL when made in a session. */
      parent_id: c.text(),
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
      c.index('tokens_parent').on(t.parent_id),
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
      /** `networkOf(ip)`: what the logins that wait are counted by. */
      network: c.text(),
      status: c.oneOf(['pending', 'approved', 'denied', 'consumed']).notNull(),
      user_id: c.text(),
      /** The token it was approved with; NULL when approved in a session. */
      token_id: c.text(),
      /** What the token made of it may have at most: set at approval. */
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
      c.index('device_logins_network').on(t.network),
    ],
  ),
  throttles: c.table('throttles', {
    /** What `throttle.ts` counts by, such as `ip:{network}`. */
    key: c.id(),
    failures: c.int().notNull(),
    window_start: c.time().notNull(),
    locked_until: c.time(),
    /** Lock-outs in a row: each doubles the wait, up to an hour. */
    locks: c.int().notNull(),
  }),
  known_networks: c.table(
    'known_networks',
    {
      user_id: c.text().notNull(),
      /** `networkOf` an address that the user has signed in from with their password. */
      network: c.text().notNull(),
      last_at: c.time().notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.user_id, t.network] }), c.index('known_networks_last').on(t.last_at)],
  ),
})

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof authTables> {}
}
