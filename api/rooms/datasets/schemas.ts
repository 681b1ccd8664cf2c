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

const column = z.object({
  name: z.string(),
  type: z.unknown().openapi({ description: 'As the datasets library writes types.' }),
})
const change = z.enum(['added', 'removed', 'changed'])
const bothSides = z.object({ base: z.int(), head: z.int() })

const DataSplitChanges = z
  .object({
    name: z.string(),
    status: change,
    files: bothSides.openapi({ description: 'Data files of each side that the other does not have.' }),
    rows: bothSides.optional().openapi({ description: 'Rows in the files that were read.' }),
    compared_by: z.enum(['key', 'row']).optional().openapi({
      description:
        'By the key of the config, or by whole rows: then a changed row counts as one removed and one added.',
    }),
    added: z.int().optional(),
    removed: z.int().optional(),
    changed: z.int().optional().openapi({ description: 'Rows of equal key with another cell.' }),
    note: z
      .enum(['partial', 'too_many_rows', 'no_common_column', 'key_missing', 'key_not_unique'])
      .optional()
      .openapi({ description: 'Why rows were not compared, or not by the key.' }),
    problem: problem.optional(),
    samples: z.array(
      z.object({
        change,
        key: z.array(z.string()),
        cells: z.array(
          z.object({ column: z.string(), base: z.string().nullish(), head: z.string().nullish() }),
        ),
      }),
    ),
  })
  .openapi('DataSplitChanges')

const DataConfigChanges = z
  .object({
    name: z.string(),
    status: change,
    key: z
      .array(z.string())
      .openapi({ description: 'Columns that name a row: `key` of the config in the card.' }),
    schema: z.object({
      added: z.array(column),
      removed: z.array(column),
      changed: z.array(z.object({ name: z.string(), base: z.unknown(), head: z.unknown() })),
    }),
    splits: z.array(DataSplitChanges),
  })
  .openapi('DataConfigChanges')

export const DataChanges = z
  .object({
    base_commit: z.string(),
    head_commit: z.string(),
    bytes: z.int().openapi({ description: 'Of the data files that a comparison reads.' }),
    changes: z
      .object({
        configs: z.array(DataConfigChanges),
        problem: problem.optional(),
        truncated: z.boolean().openapi({ description: 'More configs or splits differ.' }),
      })
      .optional()
      .openapi({ description: 'Absent until a job has compared them: only few bytes are compared at once.' }),
  })
  .openapi('DataChanges')
