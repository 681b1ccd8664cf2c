import type { NamedFeature } from '../../../../shared/viewer.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { DatasetSplit } from '../facts.ts'
import { openDataFile, readData } from '../viewer/threads.ts'
import { ViewerFault } from '../viewer/viewer-fault.ts'
import type { LocalFile } from './engine/messages.ts'
import { localPaths } from './local-files.ts'

const MAX_KEPT = 2000
const columnsByFile = new Map<string, string[]>()

/** Columns of a Parquet file in their order; its content never changes. */
async function columnNames(ctx: Ctx, repoId: string, sha256: string): Promise<string[]> {
  const known = columnsByFile.get(sha256)
  if (known) return known
  const file = await openDataFile(ctx, repoId, sha256)
  const { columns = [] } = await readData(ctx, file, { work: 'columns', key: sha256 })
  const [oldest] = columnsByFile.keys()
  if (columnsByFile.size >= MAX_KEPT && oldest !== undefined) columnsByFile.delete(oldest)
  columnsByFile.set(sha256, columns)
  return columns
}

/** Files that queries look at: sources that are Parquet are not cut, so here they end at `viewer.max_convert_bytes`. */
function within(files: DatasetSplit['files'], maxBytes: number): DatasetSplit['files'] {
  let bytes = 0
  return files.filter(({ size }, i) => (bytes += size) <= maxBytes || i === 0)
}

/** The files of a split, ready for the engine. */
export async function splitFiles(
  ctx: Ctx,
  repoId: string,
  split: DatasetSplit,
  features: readonly NamedFeature[],
): Promise<LocalFile[]> {
  const files = within(split.files, ctx.config.viewer.max_convert_bytes)
  const paths = await localPaths(
    ctx,
    repoId,
    files.map(({ sha256 }) => sha256),
  )
  const places = new Map(features.map(({ name }, i) => [name, `c${i}`]))
  return Promise.all(
    files.map(async ({ sha256, rows }, i) => {
      const names = await columnNames(ctx, repoId, sha256)
      if (names.some((name) => name.toLowerCase() === 'file_row_number'))
        throw new ViewerFault(
          'UnexpectedApiError',
          'A column has the name file_row_number, which queries need themselves. Rename it to filter and search.',
        )
      const columns = names.map((name, k) => places.get(name) ?? `x${k}`)
      const lacking = [...places.values()].filter((place) => !columns.includes(place))
      return { path: paths[i] ?? '', rows, columns, lacking }
    }),
  )
}
