import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** Other hubs that this one reads, what is known of them, and the tokens that people saved for them. */
export const upstreamTables = (c: Columns, namespaces: { id: AnySQLiteColumn }) => ({
  /** Those that admins have added; the configuration has the others. */
  upstreams: c.table('upstreams', {
    id: c.id(),
    name: c.text().notNull(),
    base_url: c.text().notNull(),
    enabled: c.bool().notNull(),
    viewer_url: c.text(),
    namespace_prefix: c.text().notNull(),
    /** Sealed, in the context `upstream:{id}`. */
    token: c.text(),
    created_by: c.text(),
    created_at: c.time().notNull(),
    updated_at: c.time().notNull(),
  }),
  /** Of each upstream, also of those in the configuration. */
  upstream_states: c.table('upstream_states', {
    upstream: c.id(),
    /** The result of the last check, in words; NULL before the first. */
    healthy: c.bool(),
    checked_at: c.time(),
    findings: c.json<UpstreamFinding[]>(),
    /** The upstream asked every caller to wait until then. */
    paused_until: c.time(),
  }),
  upstream_tokens: c.table(
    'upstream_tokens',
    {
      user_id: c
        .text()
        .notNull()
        .references(() => namespaces.id, { onDelete: 'cascade' }),
      upstream: c.text().notNull(),
      /** Sealed, in the context `upstream-token:{user}:{upstream}`. */
      token: c.text().notNull(),
      saved_at: c.time().notNull(),
      checked_at: c.time(),
      valid: c.bool(),
    },
    (t) => [c.primaryKey({ columns: [t.user_id, t.upstream] })],
  ),
})

/** One line of a check: what was looked at, whether it is in order, and what to do if not. */
export interface UpstreamFinding {
  name: 'reachable' | 'token' | 'git' | 'limit' | 'clock'
  ok: boolean
  message: string
}

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof upstreamTables> {}
}
