import type { SplitResult, SplitTask } from './split-task.ts'
import type { Preview, TableTask } from './child/messages.ts'
import { isMedia, typesIn } from '../features/feature.ts'
import { ConversionFault } from './converter.ts'
import { bringSources } from './sources.ts'

/** CSV, JSON and text: read and written by DuckDB in the child. */
export async function convertText(task: SplitTask): Promise<SplitResult> {
  const { ctx, snapshot, config, sources, features, folder } = task
  const media = features?.find(({ type }) => [...typesIn(type)].some(isMedia))
  if (media)
    throw new ConversionFault(
      'FeaturesError',
      `The card says that the column ${media.name} holds media, which these files cannot. Store the data as Parquet.`,
    )
  const { max_convert_bytes: maxBytes } = ctx.config.viewer
  const brought = await bringSources(ctx, snapshot, sources, { folder, maxBytes })
  return convertTable(task, { builder: config.builder as TableTask['builder'], ...brought })
}

/** Tar archives and Arrow files: read and written without DuckDB, which needs all of a group of images in memory. */
export async function convertBinary(task: SplitTask): Promise<SplitResult> {
  const { ctx, snapshot, config, sources, folder, root } = task
  const { max_convert_bytes: maxBytes } = ctx.config.viewer
  const brought = await bringSources(ctx, snapshot, sources, { folder, maxBytes })
  return convertTable(task, { builder: config.builder as TableTask['builder'], root, ...brought })
}

/** Files on this machine, and how the child reads them. */
interface TableFiles extends Pick<TableTask, 'builder' | 'builderName' | 'files' | 'media' | 'root'> {
  /** Whether more of the split's files were left out. */
  isCut: boolean
}

/** Has the child make a table, and stores its Parquet files. */
export async function convertTable(task: SplitTask, { isCut, ...read }: TableFiles): Promise<SplitResult> {
  const { ctx, config, split, sources, features, folder, converter, stored } = task
  const { max_convert_bytes: maxBytes, max_cell_bytes: maxCellBytes } = ctx.config.viewer
  let preview: Preview | undefined
  const order: TableTask = {
    kind: 'table',
    folder,
    options: config.options,
    ...read,
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
