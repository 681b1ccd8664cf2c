import type { DuckDBConnection } from '@duckdb/node-api'
import { parquetSchema } from 'hyparquet'
import { metadataOf } from '../../convert/child/footers.ts'
import { quoted } from '../../sql-text.ts'
import type { CompareOrder, CompareResult, ComparedRow } from './messages.ts'

/*
 * How the rows of two tables differ. Columns are `c0`, `c1`, … by their place in the order, so that no name of a user is in a
 * query; `a` is the earlier table and `b` the later one.
 */

const SAMPLE_CHARACTERS = 200
const MAX_CELLS = 50

export async function compare(connection: DuckDBConnection, order: CompareOrder): Promise<CompareResult> {
  await createSide(connection, 'a', order.base, order.columns)
  await createSide(connection, 'b', order.head, order.columns)
  const cells = await comparableCells(connection, order)
  if (order.key.length > 0) {
    const found = await byKey(connection, order, cells)
    if (found) return found
  }
  return byRow(connection, cells)
}

async function createSide(
  connection: DuckDBConnection,
  side: string,
  paths: readonly string[],
  columns: CompareOrder['columns'],
): Promise<void> {
  const parts = []
  for (const [i, path] of paths.entries()) {
    const names = parquetSchema(await metadataOf(path, path)).children.map(({ element }) => element.name)
    const places = names.map((name, k) => {
      const place = columns.findIndex((column) => column.name === name)
      return place < 0 ? `x${k}` : `c${place}`
    })
    await connection.run(
      `CREATE VIEW ${side}${i}(${places.join(', ')}) AS SELECT * FROM read_parquet(${quoted(path)})`,
    )
    const listed = columns.map((_, k) => (places.includes(`c${k}`) ? `c${k}` : `NULL AS c${k}`))
    parts.push(`SELECT ${listed.join(', ')} FROM ${side}${i}`)
  }
  const nothing = `SELECT ${columns.map((_, k) => `NULL AS c${k}`).join(', ')} WHERE false`
  await connection.run(`CREATE VIEW ${side} AS ${parts.length > 0 ? parts.join(' UNION ALL ') : nothing}`)
}

const numeric = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL.*)$/

/** Expressions that are comparable on both sides: numbers as numbers, and other types that differ as text. */
async function comparableCells(
  connection: DuckDBConnection,
  { columns, base, head }: CompareOrder,
): Promise<string[]> {
  const typesOf = async (side: string) => {
    const described = await connection.runAndReadAll(`DESCRIBE ${side}`)
    return described.getRows().map((row) => String(row[1]))
  }
  const [old, now] = [await typesOf('a'), await typesOf('b')]
  return columns.map((_, k) => {
    const [one = '', other = ''] = [old[k], now[k]]
    if (one === other || base.length === 0 || head.length === 0) return `c${k}`
    return `CAST(c${k} AS ${numeric.test(one) && numeric.test(other) ? 'DOUBLE' : 'VARCHAR'})`
  })
}

const hashOf = (cells: readonly string[]) => (cells.length > 0 ? `hash(${cells.join(', ')})` : '0::UBIGINT')

async function numbers(connection: DuckDBConnection, sql: string): Promise<number[]> {
  const [row = []] = (await connection.runAndReadAll(sql)).getRows()
  return row.map((cell) => Number(cell ?? 0))
}

/** Equal rows pair up as often as both sides have them; what is left was added or removed. */
async function byRow(connection: DuckDBConnection, cells: string[]): Promise<CompareResult> {
  for (const side of ['a', 'b'])
    await connection.run(
      `CREATE TEMP TABLE h${side} AS SELECT ${hashOf(cells)} AS h, count(*) AS n FROM ${side} GROUP BY ALL`,
    )
  const more = (one: string, other: string) =>
    `sum(greatest(coalesce(${one}.n, 0) - coalesce(${other}.n, 0), 0))`
  const [added = 0, removed = 0] = await numbers(
    connection,
    `SELECT ${more('hb', 'ha')}, ${more('ha', 'hb')} FROM ha FULL JOIN hb ON ha.h = hb.h`,
  )
  return { by: 'row', added, removed, samples: [] }
}

/** Rows of equal key are the same row. Nothing where a key is null or comes twice. */
async function byKey(
  connection: DuckDBConnection,
  order: CompareOrder,
  cells: string[],
): Promise<CompareResult | undefined> {
  const { key } = order
  const keyCells = key.map((place) => cells[place] ?? '')
  const k =
    keyCells.length === 1
      ? (keyCells[0] ?? '')
      : `struct_pack(${keyCells.map((cell, i) => `k${i} := ${cell}`).join(', ')})`
  const isSet = keyCells.map((cell) => `${cell} IS NOT NULL`).join(' AND ')
  const rest = cells.filter((_, place) => !key.includes(place))
  for (const side of ['a', 'b']) {
    await connection.run(`CREATE TEMP TABLE k${side} AS SELECT ${k} AS k, ${hashOf(rest)} AS h FROM ${side}`)
    const [isUnique] = await numbers(
      connection,
      `SELECT (SELECT count(*) = count(DISTINCT k) FROM k${side}) AND (SELECT count(*) = 0 FROM ${side} WHERE NOT (${isSet}))`,
    )
    if (isUnique !== 1) return undefined
  }
  const both = 'FROM ka FULL JOIN kb ON ka.k = kb.k'
  const [added = 0, removed = 0, changed = 0] = await numbers(
    connection,
    `SELECT count(*) FILTER (WHERE ka.h IS NULL), count(*) FILTER (WHERE kb.h IS NULL), count(*) FILTER (WHERE ka.h <> kb.h) ${both}`,
  )
  const samples = [
    ...(await sample(connection, order, { cells, k }, { change: 'changed', where: 'ka.h <> kb.h' })),
    ...(await sample(connection, order, { cells, k }, { change: 'added', where: 'ka.h IS NULL' })),
    ...(await sample(connection, order, { cells, k }, { change: 'removed', where: 'kb.h IS NULL' })),
  ]
  return { by: 'key', added, removed, changed, samples }
}

const textOf = (sql: string) => `left(CAST(${sql} AS VARCHAR), ${SAMPLE_CHARACTERS})`

async function sample(
  connection: DuckDBConnection,
  { columns, key, maxSamples }: CompareOrder,
  { cells, k }: { cells: string[]; k: string },
  { change, where }: { change: ComparedRow['change']; where: string },
): Promise<ComparedRow[]> {
  const compared =
    change === 'changed' ? columns.map((_, place) => place).filter((p) => !key.includes(p)) : []
  const shown = change === 'removed' ? 'a' : 'b'
  const listed = columns.map((_, place) => `${cells[place]} AS c${place}`).join(', ')
  const side = (name: string) =>
    `(SELECT ${listed}, ${k} AS k FROM ${name} WHERE ${k} IN (SELECT k FROM top)) ${name}`
  const names = key.map((place, i) => `${textOf(`${shown}.c${place}`)} AS k${i}`)
  const differing = compared.flatMap((place) => {
    const isOther = `a.c${place} IS DISTINCT FROM b.c${place}`
    const isShown = columns[place]?.isShown === true
    return [
      `${isOther} AS d${place}`,
      ...(isShown
        ? [
            `CASE WHEN ${isOther} THEN ${textOf(`a.c${place}`)} END AS o${place}`,
            `CASE WHEN ${isOther} THEN ${textOf(`b.c${place}`)} END AS n${place}`,
          ]
        : []),
    ]
  })
  const from = change === 'changed' ? `${side('a')} JOIN ${side('b')} ON a.k = b.k` : side(shown)
  const rows = await connection.runAndReadAll(
    `WITH top AS (SELECT coalesce(ka.k, kb.k) AS k FROM ka FULL JOIN kb ON ka.k = kb.k WHERE ${where} ORDER BY 1 LIMIT ${maxSamples}) SELECT ${[...names, ...differing].join(', ')} FROM ${from} ORDER BY ${shown}.k`,
  )
  return rows.getRowObjectsJson().map((row) => ({
    change,
    key: key.map((_, i) => String(row[`k${i}`])),
    cells: compared
      .filter((place) => row[`d${place}`] === true)
      .slice(0, MAX_CELLS)
      .map((place) => ({
        column: columns[place]?.name ?? '',
        ...(columns[place]?.isShown
          ? { base: row[`o${place}`] as string | null, head: row[`n${place}`] as string | null }
          : {}),
      })),
  }))
}
