import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import {
  mirrorFidelities,
  mirrorHistories,
  mirrorStates,
  mirrorTrackings,
  pullFileStatuses,
  type Selection,
} from '../../../shared/vocabulary.ts'
import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** Repos that follow another hub's, the large files on their way here, and where each came from. */
export const mirrorTables = (c: Columns, repos: { id: AnySQLiteColumn }) => {
  const ofRepo = () =>
    c
      .text()
      .notNull()
      .references(() => repos.id, { onDelete: 'cascade' })
  return {
    mirrors: c.table(
      'mirrors',
      {
        repo_id: c.id().references(() => repos.id, { onDelete: 'cascade' }),
        upstream: c.text().notNull(),
        /** `ns/name` there, as the upstream writes it. */
        upstream_repo: c.text().notNull(),
        /** Lower-cased, for lookups. */
        upstream_key: c.text().notNull(),
        /** Branch, tag or commit that is followed. */
        revision: c.text().notNull(),
        selection: c.json<Selection>().notNull(),
        tracking: c.oneOf([...mirrorTrackings]).notNull(),
        /** Cron expression of five fields, in `server.timezone`; NULL: once a day, at a time that follows from the id. */
        schedule: c.text(),
        history: c.oneOf([...mirrorHistories]).notNull(),
        fidelity: c.oneOf([...mirrorFidelities]).notNull(),
        state: c.oneOf([...mirrorStates]).notNull(),
        /** The upstream's ids, 40-hex: where the revision stood when it was last looked at, and what is here. */
        upstream_commit: c.text(),
        local_commit: c.text(),
        /** Why the last sync failed, and how often the upstream has refused it since `gone_since`. */
        error: c.json<{ code: string; message: string; refusals?: number }>(),
        /** Whose token it is read with; NULL for that of the instance, or none. */
        read_by: c.text(),
        /** Since when the upstream has answered that the repo is not there. */
        gone_since: c.time(),
        last_sync_at: c.time(),
        next_sync_at: c.time(),
        created_by: c.text(),
        created_at: c.time().notNull(),
      },
      (t) => [
        c.index('mirrors_upstream').on(t.upstream, t.upstream_key),
        c.index('mirrors_next_sync').on(t.next_sync_at),
      ],
    ),
    /** Commits of the upstream that were the head here; the newest are kept whole. */
    mirror_syncs: c.table(
      'mirror_syncs',
      { repo_id: ofRepo(), commit: c.text().notNull(), synced_at: c.time().notNull(), job_id: c.text() },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.commit] })],
    ),
    /** Large files whose bytes came from an upstream; kept when the mirror is detached. */
    mirror_provenance: c.table(
      'mirror_provenance',
      {
        repo_id: ofRepo(),
        path: c.text().notNull(),
        sha256: c.text().notNull(),
        size: c.bigint().notNull(),
        upstream: c.text().notNull(),
        upstream_repo: c.text().notNull(),
        commit: c.text().notNull(),
        fetched_at: c.time().notNull(),
        job_id: c.text(),
        user_id: c.text(),
        /** `sha256`: transferred and hashed; `linked`: the same bytes were here already. */
        verified: c.oneOf(['sha256', 'linked']).notNull(),
      },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.path, t.sha256] })],
    ),
    /** What a job that pulls says of itself, beside its files. */
    pulls: c.table(
      'pulls',
      {
        job_id: c.id(),
        /** The mirror, once there is one. */
        repo_id: c.text(),
        /** The pull that this one's repo is a dependency of. */
        parent_id: c.text(),
        /** Why it waits, in words. */
        note: c.text(),
        /** Dependencies that did not come, and why. */
        warnings: c.json<string[]>().notNull(),
      },
      (t) => [c.index('pulls_parent').on(t.parent_id)],
    ),
    /** The large files that a job fetches, for its page. */
    pull_files: c.table(
      'pull_files',
      {
        job_id: c.text().notNull(),
        path: c.text().notNull(),
        sha256: c.text().notNull(),
        size: c.bigint().notNull(),
        done: c.bigint().notNull(),
        status: c.oneOf([...pullFileStatuses]).notNull(),
        error: c.text(),
      },
      (t) => [c.primaryKey({ columns: [t.job_id, t.path] })],
    ),
    /** One large file on its way into a repo; one process at a time has it. */
    transfers: c.table(
      'transfers',
      {
        repo_id: ofRepo(),
        sha256: c.text().notNull(),
        /** Begins the keys of its parts. */
        id: c.text().notNull(),
        size: c.bigint().notNull(),
        /** Raised each time a process takes it: guards what that one writes. */
        attempt: c.int().notNull(),
        /** The process that has it. */
        holder: c.text(),
        /** When that was: of too many at once, the first ones go on. */
        claimed_at: c.time(),
        /** When its process counts as dead and another may take over; NULL: free. */
        lease_until: c.time(),
        /** Readers of other processes wait for it until then, at least. */
        wanted_until: c.time(),
        /** NULL: bytes are on their way; false: all have come; true: they have the SHA-256 that was announced. */
        proven: c.bool(),
        created_at: c.time().notNull(),
      },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.sha256] }), c.index('transfers_lease').on(t.lease_until)],
    ),
    transfer_parts: c.table(
      'transfer_parts',
      {
        repo_id: ofRepo(),
        sha256: c.text().notNull(),
        /** Its first block of 1 MiB, from 1. */
        n: c.int().notNull(),
        /** Blob key. */
        key: c.text().notNull(),
        size: c.bigint().notNull(),
      },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.sha256, t.n] })],
    ),
    /** What reads ask of upstreams: one process at a time asks, and what it finds holds for a while. */
    upstream_looks: c.table(
      'upstream_looks',
      {
        /** What is looked for, such as `repo/huggingface/model/acme/tiny`. */
        key: c.id(),
        /** The look that is under way; NULL after its end. */
        holder: c.text(),
        /** Of a look under way: when its process counts as dead; else how long its result holds. */
        until: c.time().notNull(),
        /** Why it found nothing; NULL where it did. */
        problem: c.json<LookProblem>(),
      },
      (t) => [c.index('upstream_looks_until').on(t.until)],
    ),
  }
}

/** Why a look at an upstream found nothing. */
export interface LookProblem {
  code: 'not-found' | 'gated' | 'revision-not-found' | 'upstream-unavailable'
  detail: string
  /** Whose token would help. */
  upstream?: string
}

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof mirrorTables> {}
}
