import type { DuckDBConnection } from '@duckdb/node-api'
import { WINDOW_ROWS, type Condition, type ScanOrder, type ScanState } from './messages.ts'
import { viewOf } from './open.ts'

interface Window {
  view: string
  /** Position of the file's first row in the split. */
  base: number
  /** Rows of the file, from and to. */
  start: number
  end: number
}

/** Parts of a split in the order of its rows, no more than `maxRows` in all. */
function windowsOf({ files, maxRows }: Pick<ScanOrder, 'files' | 'maxRows'>): Window[] {
  const windows: Window[] = []
  let base = 0
  for (const [i, { rows }] of files.entries()) {
    for (let start = 0; start < rows && base + start < maxRows; start += WINDOW_ROWS) {
      const end = Math.min(start + WINDOW_ROWS, rows, maxRows - base)
      windows.push({ view: viewOf(i), base, start, end })
    }
    base += rows
  }
  return windows
}

async function column(connection: DuckDBConnection, sql: string, values: string[]): Promise<unknown[]> {
  const reader = await connection.runAndReadAll(sql, values)
  return reader.getColumnsJS()[0] ?? []
}

const within = ({ start, end }: Window, where: Condition | undefined) =>
  `idx >= ${start} AND idx < ${end}${where ? ` AND (${where.sql})` : ''}`

/**
 * Finds the rows of a page among those that match, window by window, and counts the matches. `report` hears of every
 * window, so that what was found until then outlives the process.
 */
export async function scan(
  connection: DuckDBConnection,
  order: ScanOrder,
  report: (state: ScanState) => void,
  isLate: () => boolean,
): Promise<ScanState> {
  const total = order.files.reduce((sum, { rows }) => sum + rows, 0)
  const look = order.orderBy ? sortedPage(connection, order, order.orderBy) : pageInOrder(connection, order)
  const state: ScanState = { found: [], matches: 0, rows: 0, isComplete: false, counts: [] }
  for (const window of windowsOf(order)) {
    if (isLate()) return state
    const matches = order.known[state.counts.length] ?? (await countIn(connection, window, order.where))
    state.found = await look(window, state, matches)
    state.counts.push(matches)
    state.matches += matches
    state.rows = window.base + window.end
    report(state)
  }
  state.isComplete = state.rows >= total
  return state
}

async function countIn(
  connection: DuckDBConnection,
  window: Window,
  where: Condition | undefined,
): Promise<number> {
  if (!where) return window.end - window.start
  const sql = `SELECT count(*) FROM ${window.view} WHERE ${within(window, where)}`
  return Number((await column(connection, sql, where.values))[0])
}

type Look = (window: Window, before: ScanState, matches: number) => Promise<number[]>

/** Matches in the order of the split: only the windows that the page lies in are looked at once more. */
function pageInOrder(connection: DuckDBConnection, { where, offset, length }: ScanOrder): Look {
  return async (window, { found, matches: before }, matches) => {
    const skip = Math.max(0, offset - before)
    const wanted = length - found.length
    if (wanted <= 0 || skip >= matches) return found
    const sql = `SELECT idx FROM ${window.view} WHERE ${within(window, where)} ORDER BY idx LIMIT ${wanted} OFFSET ${skip}`
    const more = await column(connection, sql, where?.values ?? [])
    return [...found, ...more.map((idx) => Number(idx) + window.base)]
  }
}

/** The top of all windows so far is kept in a table, by the engine's own order. */
function sortedPage(
  connection: DuckDBConnection,
  { where, offset, length }: ScanOrder,
  { sql: key, isDescending }: NonNullable<ScanOrder['orderBy']>,
): Look {
  const by = `key ${isDescending ? 'DESC' : 'ASC'} NULLS LAST, idx`
  let hasTop = false
  return async (window, _, matches) => {
    if (matches > 0) {
      const top = `SELECT ${key} AS key, idx + ${window.base} AS idx FROM ${window.view} WHERE ${within(window, where)} ORDER BY ${by} LIMIT ${offset + length}`
      const all = hasTop ? `SELECT * FROM top UNION ALL (${top})` : top
      const sql = `CREATE OR REPLACE TEMP TABLE top AS SELECT * FROM (${all}) ORDER BY ${by} LIMIT ${offset + length}`
      await connection.run(sql, where?.values ?? [])
      hasTop = true
    }
    if (!hasTop) return []
    const page = `SELECT idx FROM top ORDER BY ${by} LIMIT ${length} OFFSET ${offset}`
    return (await column(connection, page, [])).map(Number)
  }
}
