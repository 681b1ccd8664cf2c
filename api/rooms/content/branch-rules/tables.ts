import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** What branches of a repo allow. */
export const branchRuleTables = (c: Columns, repos: { id: AnySQLiteColumn }) => ({
  branch_rules: c.table(
    'branch_rules',
    {
      id: c.id(),
      repo_id: c
        .text()
        .notNull()
        .references(() => repos.id, { onDelete: 'cascade' }),
      /** Short name of a branch, or a pattern as git matches paths. */
      pattern: c.text().notNull(),
      require_pull_request: c.bool().notNull(),
      /** People with write who must approve a pull request before it can be merged. */
      required_approvals: c.int().notNull(),
      allow_force_push: c.bool().notNull(),
      allow_deletion: c.bool().notNull(),
      /** Whether admins of the repo are held to it as well. */
      include_admins: c.bool().notNull(),
      created_at: c.time().notNull(),
    },
    (t) => [c.uniqueIndex('branch_rules_pattern').on(t.repo_id, t.pattern)],
  ),
})

declare module '../../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof branchRuleTables> {}
}
