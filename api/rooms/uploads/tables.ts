import { uploadRoutes, uploadStates } from '../../core/lfs/index.ts'
import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** Planned objects on their way in, and their stored parts. */
export const uploadTables = (c: Columns) => {
  const uploads = c.table(
    'uploads',
    {
      id: c.id(),
      repo_id: c.text().notNull(),
      user_id: c.text().notNull(),
      sha256: c.text().notNull(),
      size: c.bigint().notNull(),
      path: c.text(),
      status: c.oneOf([...uploadStates]).notNull(),
      // The default is for servers of the version before, which run beside this one during an upgrade.
      via: c
        .oneOf([...uploadRoutes])
        .notNull()
        .default('server'),
      /** Of `bucket-parts`: the store's own multipart upload; null until it has begun, and again once it was aborted. */
      store_upload_id: c.text(),
      part_size: c.bigint().notNull(),
      /** Raised each time joining begins: guards what that attempt writes. */
      attempt: c.int().notNull(),
      /** While `joining`: when that attempt counts as dead and another may take over. */
      lease_until: c.time(),
      /** While `verifying`: the job that does so. */
      job_id: c.text(),
      problem: c.json<{ code: string; message: string }>(),
      created_at: c.time().notNull(),
      expires_at: c.time().notNull(),
    },
    (t) => [
      c.index('uploads_repo_user').on(t.repo_id, t.user_id, t.sha256),
      c.index('uploads_expiry').on(t.status, t.expires_at),
      c.index('uploads_user').on(t.user_id, t.status),
    ],
  )
  return {
    uploads,
    upload_parts: c.table(
      'upload_parts',
      {
        upload_id: c
          .text()
          .notNull()
          .references(() => uploads.id),
        n: c.int().notNull(),
        /** Blob key of the part; a re-PUT stores under a fresh one. */
        key: c.text().notNull(),
        etag: c.text().notNull(),
        size: c.bigint().notNull(),
      },
      (t) => [c.primaryKey({ columns: [t.upload_id, t.n] })],
    ),
  }
}

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof uploadTables> {}
}
