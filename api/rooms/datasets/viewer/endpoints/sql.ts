import type { Ctx } from '../../../../core/ctx.ts'
import { QueryFailure, QueryProcesses } from '../../query/engine/processes.ts'
import { splitFiles } from '../../query/split-files.ts'
import { isExported, notExported, requireConfig, type Viewed } from '../open.ts'
import { required, type Params } from '../params.ts'
import { columnsOf } from '../split-rows.ts'
import { ViewerFault } from '../viewer-fault.ts'

/** Statements of users leave the processes of filters alone. */
const processes = new QueryProcesses({ atOnce: 1, maxWaiting: 10 })

const MAX_SQL = 8000
const MAX_ROWS = 10_000
const MAX_BYTES = 16 * 1024 * 1024

/** `/sql`: the rows of one SELECT over the splits of a config, which are its tables (docs/protocols/dataset-viewer.md §8). */
export async function querySql(ctx: Ctx, viewed: Viewed, params: Params): Promise<string> {
  const config = requireConfig(viewed, required(params, 'config'))
  const sql = required(params, 'query')
  if (sql.length > MAX_SQL)
    throw new ViewerFault('InvalidParameter', `Parameter 'query' must have at most ${MAX_SQL} characters.`)
  const features = columnsOf(config)
  const splits = config.splits.filter(isExported)
  const [first] = config.splits
  if (splits.length === 0) {
    if (first) throw notExported(viewed, config, first)
    throw new ViewerFault('EmptyDatasetError', 'The config has no splits.')
  }
  const tables = await Promise.all(
    splits.map(async (split) => {
      const { files } = await splitFiles(ctx, viewed.repo.id, split, features)
      const isWhole = !split.is_partial && files.length === split.files.length
      return { name: split.name, paths: files.map(({ path }) => path), isWhole }
    }),
  )
  const { data_dir: dir } = ctx.config.server
  const { max_scan_seconds: deadlineMs, max_cell_bytes: maxCellBytes } = ctx.config.viewer
  const limits = { maxRows: MAX_ROWS, maxBytes: MAX_BYTES, maxCellBytes, deadlineMs }
  const end = await processes
    .run(dir, { work: 'sql', tables, sql, ...limits }, ctx.signal)
    .catch((error: unknown) => {
      if (!(error instanceof QueryFailure)) throw error
      throw new ViewerFault('InvalidParameter', explained(error.message, tables))
    })
  if (end.isLate || !end.sql)
    throw new ViewerFault(
      'InvalidParameter',
      `The query took longer than ${deadlineMs / 1000} seconds (viewer.max_scan_seconds). Look at fewer rows or columns.`,
    )
  const { columns, rows, isCut } = end.sql
  const partial = tables.some(({ isWhole }) => !isWhole)
  const lines = rows.map((cells) => `[${cells.join(',')}]`)
  return `{"columns":${JSON.stringify(columns)},"rows":[${lines.join(',')}],"truncated":${isCut},"partial":${partial}}`
}

/** The engine's words, in which files have the names of their splits. */
function explained(message: string, tables: readonly { name: string; paths: string[] }[]): string {
  let text = message
  for (const { name, paths } of tables) for (const path of paths) text = text.replaceAll(path, name)
  return text
}
