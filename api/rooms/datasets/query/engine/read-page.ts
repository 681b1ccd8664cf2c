import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { numberText } from '../../viewer/cells/scalars.ts'
import type { FoundPage, PlainColumns } from './messages.ts'

/** The rows of a page, as the end of a statement with what it binds. */
interface Rows {
  from: string
  values: string[]
}

/**
 * Reads the positions of rows, and their cells where all of these are plain: text that the viewer does not cut, numbers
 * and booleans. Other rows are read from their file, which decodes whole row groups: 100 rows in four groups of five
 * columns took 52 ms there and take 4 ms here.
 */
export async function readPage(
  connection: DuckDBConnection,
  rows: Rows,
  plain: PlainColumns | undefined,
): Promise<FoundPage> {
  const page = plain && (await readPlain(connection, rows, plain))
  if (page) return page
  const reader = await connection.runAndReadAll(`SELECT idx ${rows.from}`, rows.values)
  return { found: (reader.getColumns()[0] ?? []).map(Number) }
}

async function readPlain(
  connection: DuckDBConnection,
  { from, values }: Rows,
  { columns, maxBytes }: PlainColumns,
): Promise<FoundPage | undefined> {
  const fits = (place: string) => `coalesce(strlen(${place}), 0) <= ${maxBytes}`
  const texts = columns.filter(({ isText }) => isText).map(({ place }) => place)
  const isWhole = ['true', ...texts.map(fits)].join(' AND ')
  // Longer texts stay in the engine.
  const cells = columns.map(({ place, isText }) =>
    isText ? `CASE WHEN ${fits(place)} THEN ${place} END` : place,
  )
  try {
    const sql = `SELECT idx, ${[isWhole, ...cells].join(', ')} ${from}`
    const found = { found: [] as number[], cells: [] as string[][] }
    for (const [idx, whole, ...row] of (await connection.runAndReadAll(sql, values)).getRows()) {
      const written = row.map(plainText)
      if (
        whole !== true ||
        !written.every((cell) => cell !== undefined && Buffer.byteLength(cell) <= maxBytes)
      )
        return undefined
      found.found.push(Number(idx))
      found.cells.push(written as string[])
    }
    return found
  } catch (error) {
    // Damaged bytes, or a column whose type in the file is not that of the card: the reader of files knows what to do.
    if (error instanceof Error && !error.message.startsWith('INTERRUPT')) return undefined
    throw error
  }
}

/** JSON of a plain value, as the reader of files writes it; `undefined` for others. */
function plainText(value: DuckDBValue): string | undefined {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return numberText(value)
  return typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : undefined
}
