import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { datasetStatuses } from '../../../shared/vocabulary.ts'
import type { NamedFeature } from '../../../shared/viewer.ts'
import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** Why a dataset, a config or a split cannot be shown; `code` is one of the viewer's error codes. */
export interface DatasetProblem {
  code: string
  message: string
}

/** What the files of a dataset hold: its configs and splits, and their export to Parquet. */
export const datasetTables = (c: Columns, repos: { id: AnySQLiteColumn }) => {
  const ofRepo = () =>
    c
      .text()
      .notNull()
      .references(() => repos.id, { onDelete: 'cascade' })
  return {
    datasets: c.table('datasets', {
      repo_id: c.id().references(() => repos.id, { onDelete: 'cascade' }),
      /** 40-hex commit of the default branch that the configs and splits were read from. */
      commit: c.text().notNull(),
      /** Version of the rules that read them; an older one is read once more. */
      version: c.int().notNull(),
      status: c.oneOf([...datasetStatuses]).notNull(),
      /** SHA-256 over the data files and card keys that conversion depends on: equal inputs need no new export. */
      inputs: c.text().notNull(),
      /** 40-hex: the commit that the export was made of, and the commit of `refs/convert/parquet`. */
      converted_commit: c.text(),
      export_commit: c.text(),
      job_id: c.text(),
      problem: c.json<DatasetProblem>(),
      /** Bytes of all data files, as stored. */
      original_bytes: c.bigint().notNull(),
      updated_at: c.time().notNull(),
    }),
    dataset_configs: c.table(
      'dataset_configs',
      {
        repo_id: ofRepo(),
        name: c.text().notNull(),
        /** From 0, the default config first. */
        position: c.int().notNull(),
        is_default: c.bool().notNull(),
        /** Name of the builder that the `datasets` library would choose, such as `csv`. */
        builder: c.text(),
        /** Whether the library would find exactly these features and counts. */
        is_exact: c.bool().notNull(),
        status: c.oneOf([...datasetStatuses]).notNull(),
        /** Fields of structs have an order. */
        features: c.orderedJson<NamedFeature[]>().notNull(),
        warnings: c.json<string[]>().notNull(),
        problem: c.json<DatasetProblem>(),
        original_bytes: c.bigint().notNull(),
      },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.name] })],
    ),
    dataset_splits: c.table(
      'dataset_splits',
      {
        repo_id: ofRepo(),
        config: c.text().notNull(),
        name: c.text().notNull(),
        /** From 0, in the order of the library. */
        position: c.int().notNull(),
        status: c.oneOf([...datasetStatuses]).notNull(),
        /** Whether the export was cut at `viewer.max_convert_bytes`. */
        is_partial: c.bool().notNull(),
        /** Rows of the export; NULL before there is one. */
        rows: c.bigint(),
        /** Rows of the whole split, by its bytes; only for a partial export. */
        estimated_rows: c.bigint(),
        parquet_bytes: c.bigint(),
        /** Sum of `total_byte_size` over the row groups. */
        memory_bytes: c.bigint(),
        problem: c.json<DatasetProblem>(),
      },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.config, t.name] })],
    ),
    /** The Parquet files of a split, in the order of their rows. */
    dataset_files: c.table(
      'dataset_files',
      {
        repo_id: ofRepo(),
        config: c.text().notNull(),
        split: c.text().notNull(),
        /** From 0. */
        position: c.int().notNull(),
        /** Path within `refs/convert/parquet`. */
        path: c.text().notNull(),
        /** The large file's content, opened by the one door to large files. */
        sha256: c.text().notNull(),
        size: c.bigint().notNull(),
        rows: c.bigint().notNull(),
      },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.config, t.split, t.position] })],
    ),
    /** Answers that are made once for a split: its first rows, before there is an export, and its statistics. */
    dataset_answers: c.table(
      'dataset_answers',
      {
        repo_id: ofRepo(),
        config: c.text().notNull(),
        split: c.text().notNull(),
        kind: c.oneOf(['first_rows', 'statistics']).notNull(),
        /** Commit of the default branch it was made of. */
        commit: c.text().notNull(),
        /** JSON of the answer, by gzip. */
        body: c.bytes().notNull(),
      },
      (t) => [c.primaryKey({ columns: [t.repo_id, t.config, t.split, t.kind] })],
    ),
  }
}

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof datasetTables> {}
}
