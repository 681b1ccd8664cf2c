import type { Columns } from '../../../../stores/db/columns.sqlite.ts'

/** Where the audit is sent as it grows. */
export const streamTables = (c: Columns) => ({
  /** One row, or none. */
  audit_stream: c.table('audit_stream', {
    /** Always `stream`. */
    id: c.id(),
    /** Another one with each change: what began under the former settings changes nothing. */
    revision: c.text().notNull(),
    url: c.text().notNull(),
    /** Sealed, in the context `audit-stream`. */
    token: c.text(),
    enabled: c.bool().notNull(),
    /** Number of the last seal whose row was sent. */
    sent_seq: c.bigint().notNull(),
    sent_at: c.time(),
    /** Rows that expired before they were sent. */
    lost: c.bigint().notNull(),
    /** Attempts since the last that succeeded. */
    failures: c.int().notNull(),
    failing_since: c.time(),
    next_attempt_at: c.time(),
    error: c.text(),
    created_at: c.time().notNull(),
    updated_at: c.time().notNull(),
  }),
})
