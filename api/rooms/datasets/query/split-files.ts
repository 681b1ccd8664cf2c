import type { NamedFeature } from '../../../../shared/viewer.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { DatasetSplit } from '../facts.ts'
import type { StoredColumn } from '../viewer/parquet/page-of.ts'
import { openDataFile, readData } from '../viewer/threads.ts'
import { ViewerFault } from '../viewer/viewer-fault.ts'
import type { LocalFile } from './engine/messages.ts'
import { localPaths } from './local-files.ts'
import { emptyType, isQueried, typeText } from './stored-types.ts'

const MAX_KEPT = 2000
const columnsByFile = new Map<string, StoredColumn[]>()

/** Columns of a Parquet file in their order; its content never changes. */
async function columnsIn(ctx: Ctx, repoId: string, sha256: string): Promise<StoredColumn[]> {
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

export interface SplitFiles {
  files: LocalFile[]
  /** By their place, why queries cannot use columns: files store another type. Their own values have `rawPlace`. */
  others: ReadonlyMap<string, string>
}

/** Where a column has the values that files store, if they are not of the type of its feature. */
export const rawPlace = (place: string): string => `raw_${place}`

/** The files of a split, ready for the engine. */
export async function splitFiles(
  ctx: Ctx,
  repoId: string,
  split: DatasetSplit,
  features: readonly NamedFeature[],
): Promise<SplitFiles> {
  const files = within(split.files, ctx.config.viewer.max_convert_bytes)
  const paths = await localPaths(
    ctx,
    repoId,
    files.map(({ sha256 }) => sha256),
  )
  const stored = await Promise.all(files.map(({ sha256 }) => columnsIn(ctx, repoId, sha256)))
  if (stored.flat().some(({ name }) => name.toLowerCase() === 'file_row_number'))
    throw new ViewerFault(
      'UnexpectedApiError',
      'A column has the name file_row_number, which queries need themselves. Rename it to filter and search.',
    )
  const others = new Map(
    features.flatMap((feature, i) => {
      const at = stored.findIndex((columns) => isOther(feature, columns))
      return at === -1 ? [] : [[`c${i}`, otherText(feature, stored[at] ?? [], files[at]?.path ?? '')]]
    }),
  )
  const places = new Map(
    features.map(({ name }, i) => [name, others.has(`c${i}`) ? rawPlace(`c${i}`) : `c${i}`]),
  )
  return {
    others,
    files: files.map(({ rows }, i) => {
      const columns = (stored[i] ?? []).map(({ name }, k) => places.get(name) ?? `x${k}`)
      const empty = features.map(({ type }, k) => ({ place: `c${k}`, type: emptyType(type) }))
      const raw = [...others.keys()].map((place) => ({ place: rawPlace(place), type: 'VARCHAR' }))
      const lacking = [...empty, ...raw].filter(({ place }) => !columns.includes(place))
      return { path: paths[i] ?? '', rows, columns, lacking }
    }),
  }
}

function isOther({ name, type }: NamedFeature, columns: readonly StoredColumn[]): boolean {
  const stored = columns.find((column) => column.name === name)
  return stored !== undefined && !isQueried(type, stored.type)
}

function otherText({ name, type }: NamedFeature, columns: readonly StoredColumn[], path: string): string {
  const stored = columns.find((column) => column.name === name)?.type
  return `The column "${name}" is ${typeText(type)} to this dataset, and ${typeText(stored)} in the file ${path}. Correct its type in the card (dataset_info), or upload files that have it.`
}
