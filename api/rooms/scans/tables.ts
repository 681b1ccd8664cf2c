import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { FileProblem } from '../../core/parsers/index.ts'
import type { FoundImport } from '../../core/scanning/index.ts'
import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** What the scan found in contents, which repos hold them, and how each ref stands (indexing.md §3). */
export const scanTables = (c: Columns, repos: { id: AnySQLiteColumn }) => {
  const ofRepo = () =>
    c
      .text()
      .notNull()
      .references(() => repos.id, { onDelete: 'cascade' })
  return {
    /** One verdict for equal bytes that are read alike, however many repos hold them. */
    scan_results: c.table(
      'scan_results',
      {
        /** SHA-256 of a large file, else the oid of the git blob. */
        content: c.text().notNull(),
        /** `readingOf` its path: what else the verdict depends on. */
        reading: c.text().notNull(),
        /** `SCANNER_VERSION` that made it. */
        version: c.int().notNull(),
        /** As the scanner and `scan_rules` say; `scan.strict` counts when it is shown. */
        status: c.oneOf(['safe', 'suspicious', 'unsafe', 'failed']).notNull(),
        /** Whether it is of a kind that is looked into. */
        checked: c.bool().notNull(),
        imports: c.json<FoundImport[]>().notNull(),
        problems: c.json<FileProblem[]>().notNull(),
        /** When it was made, or first used by a further repo. */
        touched_at: c.time().notNull(),
      },
      (t) => [
        c.primaryKey({ columns: [t.content, t.reading] }),
        c.index('scan_results_touched').on(t.touched_at),
      ],
    ),
    /** What admins say of a name that pickles import, for all repos. */
    scan_rules: c.table(
      'scan_rules',
      {
        module: c.text().notNull(),
        name: c.text().notNull(),
        safety: c.oneOf(['innocuous', 'dangerous']).notNull(),
        note: c.text(),
        /** A user id; kept when the user goes. */
        set_by: c.text(),
        set_at: c.time().notNull(),
      },
      (t) => [c.primaryKey({ columns: [t.module, t.name] })],
    ),
    /** This repo holds the content. Results that no repo uses are deleted by `gc`. */
    scan_uses: c.table('scan_uses', { repo_id: ofRepo(), content: c.text().notNull() }, (t) => [
      c.primaryKey({ columns: [t.repo_id, t.content] }),
      c.index('scan_uses_content').on(t.content),
    ]),
    /** The commit of a ref that was looked at last, and how its files were found. */
    scan_refs: c.table(
      'scan_refs',
      {
        repo_id: ofRepo(),
        /** Full name, such as `refs/heads/main`. */
        ref: c.text().notNull(),
        /** 40-hex. */
        commit: c.text().notNull(),
        version: c.int().notNull(),
        /** `prune_seq` of the repo when it was looked at. */
        prune_seq: c.int().notNull(),
        unsafe: c.int().notNull(),
        suspicious: c.int().notNull(),
        failed: c.int().notNull(),
        /** Files whose bytes are not here. */
        missing: c.int().notNull(),
        scanned_at: c.time().notNull(),
      },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.ref] })],
    ),
    /** Files at those commits that are not safe: the worst 1000 of each. */
    scan_issues: c.table(
      'scan_issues',
      {
        repo_id: ofRepo(),
        ref: c.text().notNull(),
        path: c.text().notNull(),
        content: c.text().notNull(),
        status: c.oneOf(['suspicious', 'unsafe', 'failed']).notNull(),
        found_at: c.time().notNull(),
      },
      (t) => [
        c.primaryKey({ columns: [t.repo_id, t.ref, t.path] }),
        c.index('scan_issues_status').on(t.status, t.found_at),
      ],
    ),
  }
}

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof scanTables> {}
}
