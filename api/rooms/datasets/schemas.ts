import { datasetStatuses } from '../../../shared/vocabulary.ts'
import { z } from '../../core/http/contract.ts'
import { Text } from '../repos/schemas.ts'

const status = z.enum(datasetStatuses)
const problem = z
  .object({
    code: z.string().openapi({ description: 'One of the codes of the viewer’s API.' }),
    message: z.string(),
  })
  .openapi('DatasetProblem')

const DatasetSplit = z
  .object({
    name: z.string(),
    status,
    rows: z.int().optional(),
    estimated_rows: z.int().optional().openapi({ description: 'Of all data, where the export was cut.' }),
    bytes: z.int().optional().openapi({ description: 'Of the Parquet files.' }),
    problem: problem.optional(),
    parquet_files: z.array(
      z.object({
        path: z.string().openapi({ description: 'Within `refs/convert/parquet`.' }),
        size: z.int(),
        rows: z.int(),
      }),
    ),
    statistics: z.boolean(),
  })
  .openapi('DatasetSplit')

const DatasetConfig = z
  .object({
    name: z.string(),
    default: z.boolean(),
    builder: z.string().optional().openapi({ description: 'As the datasets library names it: csv, json, …' }),
    status,
    features: z.array(
      z.object({
        feature_idx: z.int(),
        name: z.string(),
        type: z.unknown().openapi({ description: 'As the datasets library writes types.' }),
      }),
    ),
    warnings: z.array(z.string()),
    problem: problem.optional(),
    splits: z.array(DatasetSplit),
  })
  .openapi('DatasetConfig')

export const DatasetConfigs = z
  .object({
    commit: z.string(),
    converted_commit: z.string().optional().openapi({ description: 'What the Parquet export was made of.' }),
    job_id: z.string().optional(),
    status,
    problem: problem.optional(),
    configs: z.array(DatasetConfig),
  })
  .openapi('DatasetConfigs')

const filterText = Text.min(1).max(4096)

export const DatasetExport = z
  .strictObject({
    config: z.string().min(1).max(255),
    split: z.string().min(1).max(255),
    where: filterText.optional().openapi({ description: 'A filter, as the viewer takes it.' }),
    orderby: filterText.optional().openapi({ description: 'One column, with `asc` or `desc` behind it.' }),
    query: Text.min(1).max(500).optional().openapi({
      description: 'A text that rows have in any column, instead of a filter and an order.',
    }),
    columns: z.array(Text.max(4096)).min(1).max(1000).optional().openapi({
      description: 'The columns of the file, in their order. All unless given.',
    }),
  })
  .openapi('DatasetExport')
