import {
  DuckDBArrayType,
  DuckDBListType,
  DuckDBStructType,
  type DuckDBConnection,
  type DuckDBType,
} from '@duckdb/node-api'
import { ident, quoted } from '../../sql-text.ts'
import { checkStatement, SqlFault } from './check.ts'
import type { SqlOrder, SqlResult } from '../engine/messages.ts'

/** A statement of a user, over views that have the names of the splits. Throws `SqlFault` for what is refused. */
export async function runSql(
  connection: DuckDBConnection,
  { tables, sql, maxRows, maxBytes, maxCellBytes }: SqlOrder,
): Promise<SqlResult> {
  const system = await names(
    connection,
    'SELECT view_name FROM duckdb_views() UNION SELECT table_name FROM duckdb_tables()',
  )
  const splits = new Set(tables.map(({ name }) => name.toLowerCase()))
  const clash = tables.find(({ name }) => system.has(name.toLowerCase()))
  if (clash) throw new SqlFault(`The split ${clash.name} has the name of a table of the engine. Rename it.`)
  for (const { name, paths } of tables)
    await connection.run(
      `CREATE VIEW ${ident(name)} AS SELECT * FROM read_parquet([${paths.map(quoted).join(', ')}], union_by_name=true)`,
    )
  const tree = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql])
  checkStatement(String(tree.getRows()[0]?.[0]), { tables: splits, system })
  const result = await connection.stream(sql)
  const columns = result.columnNames().map((name, i) => ({ name, type: String(result.columnType(i)) }))
  const types = result.columnTypes()
  const rows: string[][] = []
  let bytes = 0
  for await (const some of result.yieldRowsJson())
    for (const row of some) {
      const cells = row.map((cell, i) => cut(cellText(cell, types[i]), maxCellBytes))
      bytes += cells.reduce((sum, cell) => sum + Buffer.byteLength(cell), 0)
      if (rows.length === maxRows || bytes > maxBytes) return { columns, rows, isCut: true }
      rows.push(cells)
    }
  return { columns, rows, isCut: false }
}

async function names(connection: DuckDBConnection, sql: string): Promise<Set<string>> {
  const found = await connection.runAndReadAll(sql)
  return new Set(found.getRows().map(([name]) => String(name).toLowerCase()))
}

/** JSON of a cell. The engine gives long integers as text, since numbers of JavaScript lose digits. */
function cellText(cell: unknown, type: DuckDBType | undefined): string {
  if (cell === null || cell === undefined) return 'null'
  if ((type instanceof DuckDBListType || type instanceof DuckDBArrayType) && Array.isArray(cell))
    return `[${cell.map((item) => cellText(item, type.valueType)).join(',')}]`
  if (type instanceof DuckDBStructType && typeof cell === 'object') {
    const fields = cell as Record<string, unknown>
    const members = type.entryNames.map(
      (name, i) => `${JSON.stringify(name)}:${cellText(fields[name], type.entryTypes[i])}`,
    )
    return `{${members.join(',')}}`
  }
  const isLong = typeof cell === 'string' && longIntegers.has(String(type)) && /^-?\d+$/.test(cell)
  return isLong ? cell : JSON.stringify(cell)
}

const longIntegers = new Set(['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT'])

/** A long cell is the beginning of its text. */
function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  const whole: unknown = text.startsWith('"') ? JSON.parse(text) : text
  const start = Buffer.from(String(whole)).subarray(0, maxBytes).toString('utf8')
  return JSON.stringify(`${start.replace(/\uFFFD+$/, '')}…`)
}
