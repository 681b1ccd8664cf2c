import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** Who did what: append-only, written in the transaction of the change (reliability.md §9). */
export const eventTables = (c: Columns) => ({
  audit: c.table(
    'audit',
    {
      id: c.id(),
      at: c.time().notNull(),
      request_id: c.text(),
      actor_id: c.text(),
      auth_kind: c.oneOf(['anonymous', 'session', 'token', 'system']).notNull(),
      token_id: c.text(),
      ip: c.text(),
      /** Such as `repo.create`, `org.member.set`, `token.create`. */
      action: c.text().notNull(),
      target_type: c.text().notNull(),
      target_id: c.text().notNull(),
      target_name: c.text().notNull(),
      before: c.json<Record<string, unknown>>(),
      after: c.json<Record<string, unknown>>(),
      outcome: c.oneOf(['ok', 'refused']).notNull(),
    },
    (t) => [c.index('audit_at').on(t.at), c.index('audit_target').on(t.target_id)],
  ),
  /** The hash chain over `audit`, which is written once. The seal of the last row that expired stays as its beginning. */
  audit_seals: c.table(
    'audit_seals',
    {
      /** From 1, without a gap. */
      seq: c.bigint().primaryKey(),
      audit_id: c.text().notNull(),
      /** SHA-256 over the seal before this one and the row, lower-case hex. */
      hash: c.text().notNull(),
      /** When the row was written. */
      at: c.time().notNull(),
    },
    (t) => [c.uniqueIndex('audit_seals_row').on(t.audit_id)],
  ),
})

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof eventTables> {}
}
