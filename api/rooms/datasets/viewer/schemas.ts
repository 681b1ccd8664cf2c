import { z } from '../../../core/http/contract.ts'

const feature = z.object({
  feature_idx: z.number().int(),
  name: z.string(),
  type: z.record(z.string(), z.unknown()).openapi({ description: 'As the datasets library writes it.' }),
})

const row = z.object({
  row_idx: z.number().int().openapi({ description: 'From 0.' }),
  row: z.record(z.string(), z.unknown()),
  truncated_cells: z
    .array(z.string())
    .openapi({ description: 'Columns whose cell is the beginning of its JSON text.' }),
})

export const FileRows = z
  .object({
    features: z.array(feature),
    rows: z.array(row),
    truncated: z
      .boolean()
      .openapi({ description: 'More rows follow, or may follow in what was not read of the file.' }),
    num_rows: z.number().int().optional().openapi({ description: 'Of the whole file, where it is known.' }),
  })
  .openapi('FileRows')
