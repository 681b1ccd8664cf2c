import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** What admins demand of tokens, passwords, sessions and admins: one row, or none while nothing was set. */
export const policyTables = (c: Columns) => ({
  instance_policies: c.table('instance_policies', {
    /** Always `instance`. */
    id: c.id(),
    /** How long a token may work from its creation on; NULL: any time. */
    token_max_days: c.int(),
    token_require_expiry: c.bool().notNull().default(false),
    /** NULL: the score that `passwords.ts` demands. */
    password_min_score: c.int(),
    /** A session that is unused for longer ends; NULL: it lasts for `security.session_ttl`. */
    session_idle_minutes: c.int(),
    admin_second_factor: c.bool().notNull().default(false),
    updated_at: c.time().notNull(),
  }),
})
