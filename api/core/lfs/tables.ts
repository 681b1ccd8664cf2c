import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** LFS objects and who may use them (git-storage.md §5.2, §8.2), and bytes that wait for deletion. */
export const lfsTables = (c: Columns) => ({
  /** A row exists only for stored, proven bytes. */
  lfs_objects: c.table(
    'lfs_objects',
    {
      sha256: c.id(),
      key: c.text().notNull(),
      size: c.bigint().notNull(),
      created_at: c.time().notNull(),
      touched_at: c.time().notNull(),
      unreferenced_since: c.time(),
      corrupt_at: c.time(),
    },
    (t) => [c.index('lfs_objects_unreferenced').on(t.unreferenced_since)],
  ),
  /** A pointer to the object is reachable in this repo. */
  lfs_links: c.table(
    'lfs_links',
    { repo_id: c.text().notNull(), sha256: c.text().notNull(), added_at: c.time().notNull() },
    (t) => [c.primaryKey({ columns: [t.repo_id, t.sha256] }), c.index('lfs_links_sha256').on(t.sha256)],
  ),
  /** Pointers of a mirror whose bytes have never been here: not lost, and not linked before they come. */
  lfs_absent: c.table(
    'lfs_absent',
    {
      repo_id: c.text().notNull(),
      sha256: c.text().notNull(),
      size: c.bigint().notNull(),
      since: c.time().notNull(),
      /** Its bytes are on their way, as far as is known until then. */
      pulling_until: c.time(),
    },
    (t) => [c.primaryKey({ columns: [t.repo_id, t.sha256] }), c.index('lfs_absent_sha256').on(t.sha256)],
  ),
  /** This user proved possession of the bytes in this repo. */
  lfs_grants: c.table(
    'lfs_grants',
    {
      repo_id: c.text().notNull(),
      sha256: c.text().notNull(),
      user_id: c.text().notNull(),
      created_at: c.time().notNull(),
      expires_at: c.time().notNull(),
    },
    (t) => [
      c.primaryKey({ columns: [t.repo_id, t.sha256, t.user_id] }),
      c.index('lfs_grants_sha256').on(t.sha256, t.user_id),
      c.index('lfs_grants_user').on(t.user_id, t.expires_at),
    ],
  ),
  /**
   * Keys whose rows are gone, and keys reserved for a put whose rows are not there yet. From `at` on the `gc` job deletes
   * the bytes, then the row; the transaction that writes the rows of a put takes its reservation away.
   */
  blob_deletions: c.table('blob_deletions', { key: c.id(), at: c.time().notNull() }, (t) => [
    c.index('blob_deletions_at').on(t.at),
  ]),
  /** While one has not expired, no bytes that a row has named are deleted: a backup copies them. */
  gc_holds: c.table('gc_holds', {
    id: c.id(),
    /** Who holds, for people. */
    reason: c.text().notNull(),
    created_at: c.time().notNull(),
    expires_at: c.time().notNull(),
  }),
  /** How far `blob.scrub` has come; one row for each kind of stored bytes. */
  blob_scrubs: c.table('blob_scrubs', {
    kind: c.id(),
    /** Id of the last object read; empty at the beginning of a round. */
    after: c.text().notNull(),
    round_started_at: c.time().notNull(),
    /** Bytes read in this round. */
    read_bytes: c.bigint().notNull(),
    /** When the last whole round ended. */
    finished_at: c.time(),
  }),
  /** Stored bytes that were found damaged. The row goes when sound bytes have taken their place. */
  blob_faults: c.table('blob_faults', {
    key: c.id(),
    kind: c.text().notNull(),
    /** What the bytes are, such as a SHA-256 or the id of a pack. */
    subject: c.text().notNull(),
    repo_id: c.text(),
    message: c.text().notNull(),
    found_at: c.time().notNull(),
  }),
})

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof lfsTables> {}
}
