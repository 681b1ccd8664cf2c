import type { DuckDBConnection } from '@duckdb/node-api'
import { ident, quoted } from '../../sql-text.ts'
import type { CopyOrder } from './messages.ts'
import { viewOf } from './open.ts'

const PROGRESS_MS = 500

/** Writes the rows that match into one Parquet file; answers how many there are. */
export async function copy(
  connection: DuckDBConnection,
  order: CopyOrder,
  report: (share: number) => void,
): Promise<number> {
  const timer = setInterval(() => {
    const { percentage } = connection.progress
    if (percentage > 0) report(Math.min(1, percentage / 100))
  }, PROGRESS_MS)
  try {
    const options = [
      'FORMAT parquet',
      'COMPRESSION zstd',
      `ROW_GROUP_SIZE ${order.groupRows}`,
      'USE_TMP_FILE false',
      `KV_METADATA {huggingface: ${quoted(order.key)}}`,
    ]
    const sql = `COPY (${selectOf(order)}) TO ${quoted(order.path)} (${options.join(', ')})`
    const result = await connection.runAndReadAll(sql, order.where?.values ?? [])
    return Number(result.getRows()[0]?.[0])
  } finally {
    clearInterval(timer)
  }
}

/** Every file has the condition once, with the same values by position. */
function selectOf({ files, where, orderBy, columns, maxRows }: CopyOrder): string {
  const places = columns.map(({ place }) => place)
  const key = orderBy ? `, ${orderBy.sql} AS sort_key` : ''
  let base = 0
  const parts = files.map(({ rows }, i) => {
    const from = `SELECT ${places.join(', ')}, idx + ${base} AS position${key} FROM ${viewOf(i)}`
    base += rows
    return where ? `${from} WHERE ${where.sql}` : from
  })
  const named = columns.map(({ place, name }) => `${place} AS ${ident(name)}`).join(', ')
  const by = orderBy ? ` ORDER BY sort_key ${orderBy.isDescending ? 'DESC' : 'ASC'} NULLS LAST, position` : ''
  const limit = maxRows === undefined ? '' : ` LIMIT ${maxRows}`
  // Names of a user come last, where no order can mistake them for its own.
  return `SELECT ${named} FROM (SELECT * FROM (${parts.join(' UNION ALL ')})${by}${limit})`
}
