import type { DuckDBConnection } from '@duckdb/node-api'
import { quoted } from '../where/columns.ts'
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
  const rows: unknown[][] = []
  let bytes = 0
  for await (const some of result.yieldRowsJson())
    for (const row of some) {
      const cells = row.map((cell) => cut(cell, maxCellBytes))
      bytes += cells.reduce<number>((sum, cell) => sum + Buffer.byteLength(JSON.stringify(cell)), 0)
      if (rows.length === maxRows || bytes > maxBytes) return { columns, rows, isCut: true }
      rows.push(cells)
    }
  return { columns, rows, isCut: false }
}

async function names(connection: DuckDBConnection, sql: string): Promise<Set<string>> {
  const found = await connection.runAndReadAll(sql)
  return new Set(found.getRows().map(([name]) => String(name).toLowerCase()))
}

const ident = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A long cell is the beginning of its text. */
function cut(cell: unknown, maxBytes: number): unknown {
  if (cell === null || typeof cell === 'number' || typeof cell === 'boolean') return cell
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell)
  const bytes = Buffer.from(text)
  return bytes.length <= maxBytes
    ? cell
    : `${bytes
        .subarray(0, maxBytes)
        .toString('utf8')
        .replace(/\uFFFD+$/, '')}…`
}
