import type { KnownChanges } from './changes/job.ts'
import type { z } from '@hono/zod-openapi'
import type { DescribedDataset } from './describe.ts'
import type * as schemas from './schemas.ts'

const maybe = <K extends string, V>(key: K, value: V | null | undefined) =>
  (value === null || value === undefined ? {} : { [key]: value }) as { [Name in K]?: V }

/** A dataset as the API shows it. */
export const viewConfigs = ({
  commit,
  dataset,
  configs,
  statistics,
}: DescribedDataset): z.output<typeof schemas.DatasetConfigs> => ({
  commit,
  ...maybe('converted_commit', dataset.converted_commit),
  ...maybe('job_id', dataset.job_id),
  status: dataset.status,
  ...maybe('problem', dataset.problem),
  configs: configs.map((config) => ({
    name: config.name,
    default: config.is_default,
    ...maybe('builder', config.builder),
    status: config.status,
    features: config.features.map(({ name, type }, feature_idx) => ({ feature_idx, name, type })),
    warnings: config.warnings,
    ...maybe('problem', config.problem),
    splits: config.splits.map((split) => ({
      name: split.name,
      status: split.status,
      ...maybe('rows', split.rows),
      ...maybe('estimated_rows', split.estimated_rows),
      ...maybe('bytes', split.parquet_bytes),
      ...maybe('problem', split.problem),
      parquet_files: split.files.map(({ path, size, rows }) => ({ path, size, rows })),
      statistics: statistics.has(`${config.name}\n${split.name}`),
    })),
  })),
})

export const viewChanges = ({ base, head, bytes, changes }: KnownChanges) => ({
  base_commit: base,
  head_commit: head,
  bytes,
  ...(changes ? { changes } : {}),
})
