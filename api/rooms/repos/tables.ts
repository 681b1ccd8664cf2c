import { sql } from 'drizzle-orm'
import {
  accessRequestStatuses,
  gatedModes,
  repoTypes,
  roles,
  visibilities,
} from '../../../shared/vocabulary.ts'
import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** Repos and what hangs on them besides content. */
export const repoTables = (c: Columns) => {
  const repos = c.table(
    'repos',
    {
      id: c.id(),
      type: c.oneOf([...repoTypes]).notNull(),
      namespace_id: c.text().notNull(),
      name: c.text().notNull(),
      /** Lower-cased name: names are unique case-insensitively, shown as created. */
      name_key: c.text().notNull(),
      /** Lower-cased `ns/name`: what names are sorted and found by. */
      full_key: c.text().notNull().default(''),
      /** `{type}/{namespace_id}/{lower-case name}` while the Repo holds its name; NULL once soft-deleted, which frees it. */
      address_key: c.text(),
      visibility: c.oneOf([...visibilities]).notNull(),
      gated: c.oneOf([...gatedModes]),
      description: c.text(),
      default_branch: c.text().notNull(),
      discussions_enabled: c.bool().notNull(),
      created_by: c.text(),
      created_at: c.time().notNull(),
      updated_at: c.time().notNull(),
      deleted_at: c.time(),
      /** Set by the purge: from here on a restore is refused. */
      purging_at: c.time(),
      /** Set by an admin of the instance: its content is not given out. */
      disabled_at: c.time(),
      disabled_reason: c.text(),

      // Facts of the default branch's head.
      head_bytes: c.bigint().notNull(),
      head_files: c.int().notNull(),
      card: c.json<Record<string, unknown>>(),
      task: c.text(),
      library: c.text(),
      licence: c.text(),
      likes: c.int().notNull(),
      /** Sums of `repo_downloads`: of the last 30 days, and of all time. */
      downloads_30d: c.int().notNull().default(0),
      downloads_total: c.int().notNull().default(0),
      /** Ten for each like, one for each download of the last seven days; worked out anew once a day. */
      trending: c.int().notNull().default(0),
    },
    (t) => [
      c.uniqueIndex('repos_address_key').on(t.address_key),
      c.index('repos_updated').on(t.type, t.updated_at, t.id),
      // The orders that lists are asked for.
      c.index('repos_trending').on(t.type, t.trending, t.id),
      c.index('repos_downloads').on(t.type, t.downloads_30d, t.id),
      c.index('repos_likes').on(t.type, t.likes, t.id),
      c.index('repos_created').on(t.type, t.created_at, t.id),
      c.index('repos_size').on(t.type, t.head_bytes, t.id),
      c.index('repos_full').on(t.type, t.full_key, t.id),
      c.index('repos_name').on(t.namespace_id, t.name_key),
    ],
  )
  const ofRepo = () =>
    c
      .text()
      .notNull()
      .references(() => repos.id)
  return {
    repos,
    repo_redirects: c.table('repo_redirects', {
      /** `{type}/{lower-case ns}/{lower-case name}` of the old address. */
      address: c.id(),
      repo_id: ofRepo(),
      created_at: c.time().notNull(),
    }),
    repo_tags: c.table('repo_tags', { repo_id: ofRepo(), tag: c.text().notNull() }, (t) => [
      c.primaryKey({ columns: [t.repo_id, t.tag] }),
      c.index('repo_tags_tag').on(t.tag, t.repo_id),
      // Words of a search, in any case.
      c.index('repo_tags_lower').on(sql`lower(${t.tag})`, t.repo_id),
    ]),
    collaborators: c.table(
      'collaborators',
      { repo_id: ofRepo(), user_id: c.text().notNull(), role: c.oneOf([...roles]).notNull() },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.user_id] }), c.index('collaborators_user').on(t.user_id)],
    ),
    likes: c.table(
      'likes',
      { repo_id: ofRepo(), user_id: c.text().notNull(), created_at: c.time().notNull() },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.user_id] }), c.index('likes_user').on(t.user_id)],
    ),
    repo_downloads: c.table(
      'repo_downloads',
      {
        repo_id: c
          .text()
          .notNull()
          .references(() => repos.id, { onDelete: 'cascade' }),
        /** UTC, such as `2026-03-01`. */
        day: c.text().notNull(),
        downloads: c.int().notNull(),
        bytes: c.bigint().notNull(),
      },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.day] }), c.index('repo_downloads_day').on(t.day)],
    ),
    /** What the head of the default branch held, from that day until the next row. */
    repo_sizes: c.table(
      'repo_sizes',
      {
        repo_id: c
          .text()
          .notNull()
          .references(() => repos.id, { onDelete: 'cascade' }),
        /** UTC, such as `2026-03-01`. */
        day: c.text().notNull(),
        bytes: c.bigint().notNull(),
      },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.day] })],
    ),
    access_requests: c.table(
      'access_requests',
      {
        id: c.id(),
        repo_id: ofRepo(),
        user_id: c.text().notNull(),
        status: c.oneOf([...accessRequestStatuses]).notNull(),
        message: c.text(),
        fields: c.json<Record<string, string>>(),
        reason: c.text(),
        requested_at: c.time().notNull(),
        decided_at: c.time(),
        decided_by: c.text(),
      },
      (t) => [c.uniqueIndex('access_requests_repo_user').on(t.repo_id, t.user_id)],
    ),
  }
}

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof repoTables> {}
}
