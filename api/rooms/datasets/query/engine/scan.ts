import type { DuckDBConnection } from '@duckdb/node-api'
import type { Condition, Counted, FoundPage, ScanOrder, ScanState } from './messages.ts'
import { viewOf } from './open.ts'
import { readPage } from './read-page.ts'

interface Window {
  view: string
  /** Position of the file's first row in the split. */
  base: number
  /** Rows of the file, from and to. */
  start: number
  end: number
}

/** Rows of the first window of a scan. */
const FIRST_ROWS = 500_000
/** How long a window should take: each costs the engine 7 ms of its own, and what a late scan has begun is lost. */
const WINDOW_MS = 500
const MIN_ROWS = 100_000

/** Parts of a split in the order of its rows, no more than `maxRows` in all. */
function* windowsOf(
  { files, maxRows }: Pick<ScanOrder, 'files' | 'maxRows'>,
  rowsOfNext: () => number,
): Generator<Window> {
  let base = 0
  for (const [i, { rows }] of files.entries()) {
    const last = Math.min(rows, maxRows - base)
    for (let start = 0; start < last;) {
      const end = Math.min(start + rowsOfNext(), last)
      yield { view: viewOf(i), base, start, end }
      start = end
    }
    base += rows
  }
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
  const state: ScanState = { page: { found: [] }, matches: 0, rows: 0, isComplete: false, counts: [] }
  let size = FIRST_ROWS
  const known = (): Counted | undefined => order.known[state.counts.length]
  for (const window of windowsOf(order, () => known()?.rows ?? size)) {
    if (isLate()) return state
    const startedAt = performance.now()
    const counted = known() ?? (await countIn(connection, window, order.where))
    size = known()?.rows ?? rowsOfNext(counted.rows, performance.now() - startedAt)
    state.page = await look(window, state, counted.matches)
    state.counts.push(counted)
    state.matches += counted.matches
    state.rows = window.base + window.end
    report(state)
  }
  state.isComplete = state.rows >= total
  return state
}

const rowsOfNext = (rows: number, tookMs: number) =>
  Math.max(MIN_ROWS, Math.round((rows * WINDOW_MS) / Math.max(1, tookMs)))

async function countIn(
  connection: DuckDBConnection,
  window: Window,
  where: Condition | undefined,
): Promise<Counted> {
  const rows = window.end - window.start
  if (!where) return { rows, matches: rows }
  const sql = `SELECT count(*) FROM ${window.view} WHERE ${within(window, where)}`
  return { rows, matches: Number((await column(connection, sql, where.values))[0]) }
}

type Look = (window: Window, before: ScanState, matches: number) => Promise<FoundPage>

/** Matches in the order of the split: only the windows that the page lies in are looked at once more. */
function pageInOrder(connection: DuckDBConnection, { where, offset, length, plain }: ScanOrder): Look {
  return async (window, { page, matches: passed }, matches) => {
    const skip = Math.max(0, offset - passed)
    const wanted = length - page.found.length
    if (wanted <= 0 || skip >= matches) return page
    const condition = within(window, where)
    const more = await readPage(
      connection,
      // The engine keeps the order of the file (`preserve_insertion_order`), and ends when it has enough.
      {
        from: `FROM ${window.view} WHERE ${condition} LIMIT ${wanted} OFFSET ${skip}`,
        values: where?.values ?? [],
      },
      plain,
    )
    const found = more.found.map((idx) => idx + window.base)
    const before = page.found.length === 0 ? [] : page.cells
    const cells = before && more.cells && [...before, ...more.cells]
    return { found: [...page.found, ...found], ...(cells ? { cells } : {}) }
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
    if (!hasTop) return { found: [] }
    const page = `SELECT idx FROM top ORDER BY ${by} LIMIT ${length} OFFSET ${offset}`
    return { found: (await column(connection, page, [])).map(Number) }
  }
}
