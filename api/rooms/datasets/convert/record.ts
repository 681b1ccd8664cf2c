import { and, eq } from 'drizzle-orm'
import { gzipSync } from 'node:zlib'
import type { DatasetStatus } from '../../../../shared/vocabulary.ts'
import type { Tables, Tx } from '../../../stores/db/index.ts'
import { PLAN_VERSION, type RevisionPlan } from '../configs/read-plan.ts'
import type { DatasetProblem } from '../tables.ts'
import { exportPath, type MadeConfig } from './made.ts'

type DatasetRow = Tables['datasets']['$inferInsert']

/** Rows of one statement, of at most eleven values each. */
const ROWS = 200

/** Notes how far a dataset is; its configs and their export stay as they are. */
export async function recordDataset({ q, t: { datasets: d } }: Tx, row: DatasetRow): Promise<void> {
  await q.insert(d).values(row).onConflictDoUpdate({ target: d.repo_id, set: row })
}

/** Replaces all that is known of the configs of a dataset. */
export async function recordConfigs(tx: Tx, repoId: string, configs: readonly MadeConfig[]): Promise<void> {
  const { q, t } = tx
  const { dataset_configs: c, dataset_splits: s, dataset_files: f } = t
  await q.delete(f).where(eq(f.repo_id, repoId))
  await q.delete(s).where(eq(s.repo_id, repoId))
  await q.delete(c).where(eq(c.repo_id, repoId))
  await inserted(
    configs.map((config, position) => configRow(repoId, config, position)),
    (rows) => q.insert(c).values(rows),
  )
  await inserted(
    configs.flatMap((config) => splitRows(repoId, config)),
    (rows) => q.insert(s).values(rows),
  )
  await inserted(
    configs.flatMap((config) => fileRows(repoId, config)),
    (rows) => q.insert(f).values(rows),
  )
}

async function inserted<T>(rows: T[], insert: (some: T[]) => PromiseLike<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS) await insert(rows.slice(from, from + ROWS))
}

const configRow = (repo_id: string, config: MadeConfig, position: number) => ({
  repo_id,
  name: config.name,
  position,
  is_default: config.isDefault,
  builder: config.builder,
  is_exact: config.isExact,
  status: config.status,
  features: config.features,
  warnings: config.warnings,
  problem: config.problem,
  original_bytes: config.originalBytes,
})

const splitRows = (repo_id: string, config: MadeConfig) =>
  config.splits.map((split, position) => ({
    repo_id,
    config: config.name,
    name: split.name,
    position,
    status: split.status,
    is_partial: split.isPartial,
    rows: split.rows,
    estimated_rows: split.estimatedRows,
    parquet_bytes:
      split.rows === null ? null : split.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    memory_bytes: split.memoryBytes,
    problem: split.problem,
  }))

const fileRows = (repo_id: string, config: MadeConfig) =>
  config.splits.flatMap((split) =>
    split.files.map(({ sha256, sizeBytes, rows }, position) => ({
      repo_id,
      config: config.name,
      split: split.name,
      position,
      path: exportPath(config.name, split, position),
      sha256,
      size: sizeBytes,
      rows,
    })),
  )

/** Keeps the first rows of a split, and the columns that were found with them. */
export async function recordPreview(
  { q, t: { dataset_answers: a } }: Tx,
  at: { repoId: string; config: string; split: string; commit: string },
  body: string,
): Promise<void> {
  const set = { commit: at.commit, body: gzipSync(body) }
  const key = { repo_id: at.repoId, config: at.config, split: at.split, kind: 'first_rows' as const }
  await q
    .insert(a)
    .values({ ...key, ...set })
    .onConflictDoUpdate({ target: [a.repo_id, a.config, a.split, a.kind], set })
}

/** Forgets answers of other commits: statistics of rows that are no more, first rows of splits that have gone. */
export async function dropAnswers(
  { q, t: { dataset_answers: a } }: Tx,
  repoId: string,
  commit: string,
): Promise<void> {
  const rows = await q
    .select({ config: a.config, split: a.split, kind: a.kind, commit: a.commit })
    .from(a)
    .where(eq(a.repo_id, repoId))
  for (const row of rows)
    if (row.commit !== commit)
      await q
        .delete(a)
        .where(
          and(eq(a.repo_id, repoId), eq(a.config, row.config), eq(a.split, row.split), eq(a.kind, row.kind)),
        )
}

/** The row of a dataset, from its plan. */
export function datasetRow(
  at: { repoId: string; commit: string; now: Date },
  plan: RevisionPlan,
  state: {
    status: DatasetStatus
    problem?: DatasetProblem | null
    jobId?: string | null
    converted?: { commit: string; exportCommit: string | null }
  },
): DatasetRow {
  const { converted } = state
  return {
    repo_id: at.repoId,
    commit: at.commit,
    version: PLAN_VERSION,
    status: state.status,
    inputs: plan.inputs,
    job_id: state.jobId ?? null,
    problem: state.problem ?? null,
    original_bytes: [...plan.files.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    updated_at: at.now,
    ...(converted ? { converted_commit: converted.commit, export_commit: converted.exportCommit } : {}),
  }
}
