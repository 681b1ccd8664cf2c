import {
  accessRequestStatuses,
  gatedModes,
  indexStatuses,
  repoTypes,
  roles,
  visibilities,
} from '../../../shared/vocabulary.ts'
import { facetFields, needKinds, relations, type Findings } from '../../core/metadata/index.ts'
import type { Columns } from '../../stores/db/columns.sqlite.ts'
import { watchTables } from './watches/tables.ts'

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
      /** `{type}/{namespace_id}/{lower-case name}` while the repo holds its name; NULL once soft-deleted, which frees it. */
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

      likes: c.int().notNull(),
      /** Sums of `repo_downloads`: of the last 30 days, and of all time. */
      downloads_30d: c.int().notNull().default(0),
      downloads_total: c.int().notNull().default(0),
      /** Ten for each like, one for each download of the last seven days; computed once a day. */
      trending: c.int().notNull().default(0),
      /** What the last change of what lists show has marked; `catalogue.ts` follows it. */
      changed: c.bigint().notNull().default(0),
    },
    (t) => [
      c.uniqueIndex('repos_address_key').on(t.address_key),
      c.index('repos_changed').on(t.changed),
      c.index('repos_name').on(t.namespace_id, t.name_key),
      c.index('repos_creator').on(t.created_by, t.id),
      // What changed lately in a namespace, for feeds.
      c.index('repos_namespace_updated').on(t.namespace_id, t.updated_at),
    ],
  )
  const ofRepo = () =>
    c
      .text()
      .notNull()
      .references(() => repos.id)
  return {
    repos,
    ...watchTables(c, repos),
    repo_redirects: c.table('repo_redirects', {
      /** `{type}/{lower-case ns}/{lower-case name}` of the old address. */
      address: c.id(),
      repo_id: ofRepo(),
      created_at: c.time().notNull(),
    }),
    /** What the head of the default branch holds; one row per repo. */
    repo_heads: c.table(
      'repo_heads',
      {
        repo_id: c.id().references(() => repos.id, { onDelete: 'cascade' }),
        /** As the repo's, which never changes. */
        type: c.oneOf([...repoTypes]).notNull(),
        bytes: c.bigint().notNull(),
        files: c.int().notNull(),
        task: c.text(),
        library: c.text(),
        licence: c.text(),
        /** -1 where they are not known: such repos come last. */
        parameters: c.bigint().notNull().default(-1),
        context_length: c.bigint(),
        rows: c.bigint(),
        index_status: c.oneOf([...indexStatuses]).notNull(),
        /** Which version of the rules `findings` were made by; 0 where there are none. */
        index_version: c.int().notNull(),
        /** 40-hex of the commit that `findings` are of. */
        indexed_commit: c.text(),
        /** Ids of the papers that the README links to. */
        papers: c.json<string[]>(),
        // The long ones last: the engine passes over them.
        card: c.json<Record<string, unknown>>(),
        findings: c.json<Findings>(),
      },
      (t) => [c.index('repo_heads_version').on(t.index_version, t.repo_id)],
    ),
    /**
     * What searches know of the card of the default branch's head; one row per repo once it was read. Its migrations
     * are written by hand: each engine has an index of `words` beside the columns here (`stores/db/full-text.ts`).
     */
    card_texts: c.table('card_texts', {
      repo_id: c.id().references(() => repos.id, { onDelete: 'cascade' }),
      /** 40-hex of the README's blob; null where there is none. */
      readme: c.text(),
      /** Which version of the rules made the text. */
      version: c.int().notNull(),
      /** What is found. */
      words: c.text().notNull(),
      /** What is shown. */
      text: c.text().notNull(),
    }),
    /** What lists are narrowed and counted by, such as `format`: `gguf`. */
    repo_facets: c.table(
      'repo_facets',
      {
        repo_id: c
          .text()
          .notNull()
          .references(() => repos.id, { onDelete: 'cascade' }),
        field: c.oneOf([...facetFields]).notNull(),
        value: c.text().notNull(),
      },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.field, t.value] })],
    ),
    /** Repos that a repo needs, by the names its files give. */
    repo_dependencies: c.table(
      'repo_dependencies',
      {
        repo_id: c
          .text()
          .notNull()
          .references(() => repos.id, { onDelete: 'cascade' }),
        kind: c.oneOf([...needKinds]).notNull(),
        /** Of the target. */
        type: c.oneOf([...repoTypes]).notNull(),
        target: c.text().notNull(),
        /** Lower-cased, as `full_key` of repos. */
        target_key: c.text().notNull(),
        revision: c.text(),
        relation: c.oneOf([...relations]),
        /** The file that names it. */
        path: c.text().notNull(),
      },
      (t) => [
        c.primaryKey({ columns: [t.repo_id, t.kind, t.target_key] }),
        c.index('repo_dependencies_target').on(t.type, t.target_key, t.relation),
      ],
    ),
    /** What a namespace shows first of its repos. */
    pinned_repos: c.table(
      'pinned_repos',
      {
        namespace_id: c.text().notNull(),
        repo_id: c
          .text()
          .notNull()
          .references(() => repos.id, { onDelete: 'cascade' }),
        place: c.int().notNull(),
      },
      (t) => [
        c.primaryKey({ columns: [t.namespace_id, t.repo_id] }),
        c.index('pinned_repos_repo').on(t.repo_id),
      ],
    ),
    repo_tags: c.table('repo_tags', { repo_id: ofRepo(), tag: c.text().notNull() }, (t) => [
      c.primaryKey({ columns: [t.repo_id, t.tag] }),
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
