import { asc, eq } from 'drizzle-orm'
import { groupedBy } from '../../core/parsers/index.ts'
import type { Db, Tables, Tx } from '../../stores/db/index.ts'

/** What is known of a dataset, as of the commit its configs were read from. */
export type DatasetRow = Tables['datasets']['$inferSelect']
export type ConfigRow = Tables['dataset_configs']['$inferSelect']
export type SplitRow = Tables['dataset_splits']['$inferSelect']
/** A Parquet file of `refs/convert/parquet`. */
export type ExportFile = Tables['dataset_files']['$inferSelect']

export interface DatasetSplit extends SplitRow {
  /** In the order of their rows. */
  files: ExportFile[]
}

export interface DatasetConfig extends ConfigRow {
  /** In the order of the library. */
  splits: DatasetSplit[]
}

export interface Dataset extends DatasetRow {
  /** The default config first. */
  configs: DatasetConfig[]
}

/** A dataset with its configs, splits and Parquet files; `undefined` before they were read for the first time. */
export async function readDataset(db: Db, repoId: string): Promise<Dataset | undefined> {
  return db.snapshot((reading) => datasetIn(reading, repoId))
}

/** As `readDataset`, within a transaction. */
export async function datasetIn(
  { q, t }: Pick<Db, 'q' | 't'> | Tx,
  repoId: string,
): Promise<Dataset | undefined> {
  const { datasets: d, dataset_configs: c, dataset_splits: s, dataset_files: f } = t
  const [dataset] = await q.select().from(d).where(eq(d.repo_id, repoId))
  if (!dataset) return undefined
  const configs = await q.select().from(c).where(eq(c.repo_id, repoId)).orderBy(asc(c.position))
  const splits = await q.select().from(s).where(eq(s.repo_id, repoId)).orderBy(asc(s.position))
  const files = await q.select().from(f).where(eq(f.repo_id, repoId)).orderBy(asc(f.position))
  const filesOf = groupedBy(files, ({ config, split }) => `${config}\n${split}`)
  const splitsOf = groupedBy(splits, ({ config }) => config)
  const splitsIn = (config: string) =>
    (splitsOf.get(config) ?? []).map((split) => ({
      ...split,
      files: filesOf.get(`${config}\n${split.name}`) ?? [],
    }))
  return { ...dataset, configs: configs.map((row) => ({ ...row, splits: splitsIn(row.name) })) }
}
