import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { columns } from '../columns.sqlite.ts'
import type { Schema } from '../schema.ts'

/** What a column holds, whichever engine keeps it. */
export type Kind = 'text' | 'number' | 'bool' | 'time' | 'json' | 'bytes'

/** A table as a dump writes it down: enough to load its rows without the code that declared it. */
export interface DumpTable {
  name: string
  columns: { name: string; kind: Kind }[]
}

const kinds: Record<string, Kind> = {
  SQLiteText: 'text',
  SQLiteInteger: 'number',
  SQLiteBoolean: 'bool',
  SQLiteTimestamp: 'time',
  SQLiteTextJson: 'json',
  SQLiteBlobBuffer: 'bytes',
}

function kindOf(column: SQLiteColumn): Kind {
  const kind = kinds[column.columnType]
  if (kind) return kind
  throw new Error(`a dump knows no column of the type ${column.columnType}: ${column.name}`)
}

/** Every table of a schema, each behind those that its rows refer to. */
export function dumpTables(schema: Schema): DumpTable[] {
  const all = new Map(
    Object.values<unknown>({ ...schema(columns) })
      .filter((table) => is(table, SQLiteTable))
      .map((table) => [getTableName(table), getTableConfig(table)] as const),
  )
  const ordered = new Set<string>()
  const visit = (name: string) => {
    if (ordered.has(name)) return
    for (const key of all.get(name)?.foreignKeys ?? []) {
      const other = getTableName(key.reference().foreignTable)
      if (other !== name) visit(other)
    }
    ordered.add(name)
  }
  for (const name of [...all.keys()].toSorted()) visit(name)
  return [...ordered].map((name) => ({
    name,
    columns: (all.get(name)?.columns ?? []).map((column) => ({ name: column.name, kind: kindOf(column) })),
  }))
}
