import type { DuckDBConnection } from '@duckdb/node-api'
import type { FeatureType, NamedFeature } from '../../../../../shared/viewer.ts'
import { isKind, isStruct } from '../../features/feature.ts'
import type { Source } from './source.ts'

const ROWS = 100
/** The public viewer's limits of first rows: bytes of all, rows that stay, bytes of a cell that is cut. */
const MAX_BYTES = 1_000_000
const MIN_ROWS = 10
const MIN_CELL_BYTES = 100

/** The first rows of a split as the viewer answers them: JSON text, in which integers have all their digits. */
export async function previewOf(
  duck: DuckDBConnection,
  { sql, features }: Source,
  maxCellBytes: number,
): Promise<{ body: string; meanBytes: number }> {
  const result = await duck.runAndReadAll(`SELECT * FROM (${sql}) LIMIT ${ROWS}`)
  const rows = result.getRowsJson().map((row) => row.map((cell, i) => cellText(cell, features[i]?.type)))
  const sizes = rows.map((row) => row.reduce((sum, cell) => sum + Buffer.byteLength(cell), 0))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  return {
    body: bodyOf(features, rows, maxCellBytes),
    meanBytes: rows.length === 0 ? 1 : total / rows.length,
  }
}

/** JSON text of `{features, rows, truncated}`, cut to the size of first rows. */
function bodyOf(features: readonly NamedFeature[], rows: readonly string[][], maxCellBytes: number): string {
  const kept = rows.map((cells) => cutCells(cells, maxCellBytes))
  const sizeOf = ({ cells }: Cut) => cells.reduce((sum, cell) => sum + Buffer.byteLength(cell), 0)
  let bytes = kept.reduce((sum, row) => sum + sizeOf(row), 0)
  while (bytes > MAX_BYTES && kept.length > MIN_ROWS) bytes -= sizeOf(kept.pop() ?? { cells: [], cut: [] })
  for (let i = kept.length - 1; i >= 0 && bytes > MAX_BYTES; i--) {
    const row = kept[i]
    if (!row) break
    const cut = cutCells(row.cells, MIN_CELL_BYTES, row.cut)
    bytes += sizeOf(cut) - sizeOf(row)
    kept[i] = cut
  }
  const named = features.map(({ name, type }, feature_idx) => ({ feature_idx, name, type }))
  const lines = kept.map(({ cells, cut }, row_idx) => {
    const fields = cells.map((cell, i) => `${JSON.stringify(features[i]?.name ?? '')}:${cell}`)
    const truncated = JSON.stringify(cut.map((i) => features[i]?.name))
    return `{"row_idx":${row_idx},"row":{${fields.join(',')}},"truncated_cells":${truncated}}`
  })
  return `{"features":${JSON.stringify(named)},"rows":[${lines.join(',')}],"truncated":${kept.length < rows.length}}`
}

interface Cut {
  cells: string[]
  /** Indexes of cells that are the beginning of their JSON text. */
  cut: number[]
}

function cutCells(cells: readonly string[], most: number, before: readonly number[] = []): Cut {
  const cut = new Set(before)
  const shown = cells.map((cell, i) => {
    if (Buffer.byteLength(cell) <= most) return cell
    const whole = cut.has(i) ? (JSON.parse(cell) as string) : cell
    cut.add(i)
    return JSON.stringify(beginning(whole, most))
  })
  return { cells: shown, cut: [...cut].sort((a, b) => a - b) }
}

/** The first bytes of a text, without half a character. */
const beginning = (text: string, bytes: number): string =>
  Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')

const int = /^-?\d+$/

/** A cell as JSON text, by its type (docs/protocols/datasets.md §5). `cell` is DuckDB's JSON: large integers are strings. */
function cellText(cell: unknown, type: FeatureType | undefined): string {
  if (cell === null || cell === undefined || !type) return 'null'
  if (isStruct(type)) {
    const fields = Object.entries(type).map(
      ([name, field]) =>
        `${JSON.stringify(name)}:${cellText((cell as Record<string, unknown>)[name], field)}`,
    )
    return `{${fields.join(',')}}`
  }
  if (isKind(type, 'List', 'LargeList', 'Sequence'))
    return `[${(cell as unknown[]).map((item) => cellText(item, type.feature)).join(',')}]`
  if (isKind(type, 'Json')) return jsonText(String(cell))
  if (isKind(type, 'ClassLabel')) return String(cell)
  if (!isKind(type, 'Value')) return JSON.stringify(cell)
  const { dtype } = type
  if (/^u?int/.test(dtype)) return int.test(String(cell)) ? String(cell) : 'null'
  if (dtype.startsWith('float')) return Number.isFinite(Number(cell)) ? JSON.stringify(Number(cell)) : 'null'
  if (dtype.startsWith('timestamp')) return JSON.stringify(String(cell).replace(' ', 'T'))
  return JSON.stringify(cell)
}

function jsonText(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}
