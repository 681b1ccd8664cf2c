import type { SplitResult, SplitTask } from './split-task.ts'
import type { Preview, TableTask } from './child/messages.ts'
import { isMedia, typesIn } from '../features/feature.ts'
import { ConversionFault } from './converter.ts'
import { bringSources } from './sources.ts'

/** CSV, JSON and text: read and written by DuckDB in the child. */
export async function convertText(task: SplitTask): Promise<SplitResult> {
  const { ctx, snapshot, config, split, sources, features, folder, converter, stored } = task
  const media = features?.find(({ type }) => [...typesIn(type)].some(isMedia))
  if (media)
    throw new ConversionFault(
      'FeaturesError',
      `The card says that the column ${media.name} holds media, which these files cannot. Store the data as Parquet.`,
    )
  const { max_convert_bytes: maxBytes, max_cell_bytes: maxCellBytes } = ctx.config.viewer
  const { files, isCut } = await bringSources(ctx, snapshot, sources, { folder, maxBytes })
  let preview: Preview | undefined
  const order: TableTask = {
    kind: 'table',
    folder,
    builder: config.builder as TableTask['builder'],
    options: config.options,
    files,
    ...(features ? { features } : {}),
    isGiven: config.features !== undefined,
    maxBytes,
    maxCellBytes,
  }
  const table = await converter.table(order, {
    preview: async (found) => {
      preview = found
      await task.preview(config, split, found)
    },
    done: (share) => void task.progress(config.name, split.name, share).catch(() => undefined),
  })
  const made: SplitResult['files'] = []
  for (const { path, rows } of table.files) made.push({ ...(await stored.add(path)), rows })
  const rows = table.files.reduce((sum, file) => sum + file.rows, 0)
  const isPartial = isCut || table.isPartial
  const allBytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return {
    features: preview?.features ?? [],
    isExact: preview?.isExact ?? false,
    warnings: preview?.warnings ?? [],
    isPartial,
    rows,
    estimatedRows: isPartial ? Math.round((rows * allBytes) / Math.max(1, table.readBytes)) : null,
    memoryBytes: table.files.reduce((sum, file) => sum + file.memoryBytes, 0),
    files: made,
  }
}
