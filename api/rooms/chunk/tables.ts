import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** Chunk containers (xorbs), who sent them, and the files rebuilt from them (chunk-upload.md §10). Hashes are in their string form. */
export const chunkTables = (c: Columns) => ({
  /** A row exists only for a stored xorb whose every chunk was verified. Its index lies beside it, under `{key}.idx`. */
  chunk_xorbs: c.table(
    'chunk_xorbs',
    {
      xorb_hash: c.id(),
      key: c.text().notNull(),
      body_size: c.bigint().notNull(),
      /** Bytes of its chunks once decompressed. */
      unpacked: c.bigint().notNull(),
      /** Number of chunks. */
      n: c.int().notNull(),
      created_at: c.time().notNull(),
      /** Written at most once a day. */
      last_used_at: c.time().notNull(),
    },
    (t) => [c.index('chunk_xorbs_used').on(t.last_used_at)],
  ),
  /** This user sent the whole xorb: only then may a shard of theirs name it. */
  chunk_xorb_uploads: c.table(
    'chunk_xorb_uploads',
    {
      xorb_hash: c.text().notNull(),
      user_id: c.text().notNull(),
      /** The repo it was first sent for, whose quota it counts against; NULL when sent before this was noted. */
      repo_id: c.text(),
      /** When a manifest of theirs first named it; until then it counts as pending. */
      named_at: c.time(),
    },
    (t) => [
      c.primaryKey({ columns: [t.xorb_hash, t.user_id] }),
      c.index('chunk_xorb_uploads_user').on(t.user_id),
      c.index('chunk_xorb_uploads_repo').on(t.repo_id),
    ],
  ),
  /** A file hash and the SHA-256 its bytes were found to have. One SHA-256 has several file hashes, one per chunking. */
  chunk_files: c.table(
    'chunk_files',
    {
      file_hash: c.text().notNull(),
      sha256: c.text().notNull(),
      size: c.bigint().notNull(),
      created_at: c.time().notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.file_hash, t.sha256] }), c.index('chunk_files_sha256').on(t.sha256)],
  ),
  /** A file that is being rebuilt, or could not be. The row goes when the object is stored. */
  chunk_rebuilds: c.table(
    'chunk_rebuilds',
    {
      id: c.id(),
      /** The job `chunk.rebuild` that works on every file of the shard. */
      job_id: c.text().notNull(),
      /** Blob key of the verified shard. */
      shard_key: c.text().notNull(),
      /** Where its first term lies in the shard, in bytes from the beginning, and how many terms follow. */
      terms_offset: c.int().notNull(),
      terms: c.int().notNull(),
      file_hash: c.text().notNull(),
      /** What the sender said; NULL when they left it to us. */
      claimed_sha256: c.text(),
      size: c.bigint().notNull(),
      /** `{user id}/{file hash}/{claimed SHA-256}` until it has failed, NULL after. */
      active_key: c.text(),
      problem: c.json<{ code: string; message: string }>(),
      created_at: c.time().notNull(),
    },
    (t) => [
      c.uniqueIndex('chunk_rebuilds_active_key').on(t.active_key),
      c.index('chunk_rebuilds_job').on(t.job_id),
      c.index('chunk_rebuilds_sha256').on(t.claimed_sha256),
    ],
  ),
  /** Who gets a grant for the object once it is there, and in which repo. */
  chunk_rebuild_claims: c.table(
    'chunk_rebuild_claims',
    { rebuild_id: c.text().notNull(), repo_id: c.text().notNull(), user_id: c.text().notNull() },
    (t) => [c.primaryKey({ columns: [t.rebuild_id, t.repo_id, t.user_id] })],
  ),
  /** Xorbs that the jobs under way read. */
  chunk_pins: c.table('chunk_pins', { job_id: c.text().notNull(), xorb_hash: c.text().notNull() }, (t) => [
    c.primaryKey({ columns: [t.job_id, t.xorb_hash] }),
    c.index('chunk_pins_xorb').on(t.xorb_hash),
  ]),
})

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof chunkTables> {}
}
