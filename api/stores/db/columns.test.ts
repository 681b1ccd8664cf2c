import { getTableConfig as ofPostgres, type PgTable } from 'drizzle-orm/pg-core'
import { getTableConfig as ofSqlite } from 'drizzle-orm/sqlite-core'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { columns as postgres } from './columns.postgres.ts'
import { columns as sqlite, type Columns } from './columns.sqlite.ts'
import { schema } from '../../app/schema.ts'

interface Note {
  words: string[]
}

// Every word, as it stands and not null: what no engine says otherwise of a column, tables may be made of.
const inSqlite = sqlite.table('t', {
  id: sqlite.id(),
  text: sqlite.text(),
  int: sqlite.int(),
  one_of: sqlite.oneOf(['a', 'b']),
  bigint: sqlite.bigint(),
  bool: sqlite.bool(),
  time: sqlite.time(),
  json: sqlite.json<Note>(),
  ordered_json: sqlite.orderedJson<Note>(),
  bytes: sqlite.bytes(),
  text_here: sqlite.text().notNull(),
  int_here: sqlite.int().notNull(),
  one_of_here: sqlite.oneOf(['a', 'b']).notNull(),
  bigint_here: sqlite.bigint().notNull(),
  bool_here: sqlite.bool().notNull(),
  time_here: sqlite.time().notNull(),
  json_here: sqlite.json<Note>().notNull(),
  ordered_json_here: sqlite.orderedJson<Note>().notNull(),
  bytes_here: sqlite.bytes().notNull(),
})
const inPostgres = postgres.table('t', {
  id: postgres.id(),
  text: postgres.text(),
  int: postgres.int(),
  one_of: postgres.oneOf(['a', 'b']),
  bigint: postgres.bigint(),
  bool: postgres.bool(),
  time: postgres.time(),
  json: postgres.json<Note>(),
  ordered_json: postgres.orderedJson<Note>(),
  bytes: postgres.bytes(),
  text_here: postgres.text().notNull(),
  int_here: postgres.int().notNull(),
  one_of_here: postgres.oneOf(['a', 'b']).notNull(),
  bigint_here: postgres.bigint().notNull(),
  bool_here: postgres.bool().notNull(),
  time_here: postgres.time().notNull(),
  json_here: postgres.json<Note>().notNull(),
  ordered_json_here: postgres.orderedJson<Note>().notNull(),
  bytes_here: postgres.bytes().notNull(),
})

describe('the two engines', () => {
  test('give every word of the vocabulary one type, which the compiler compares', () => {
    expectTypeOf<typeof inPostgres.$inferSelect>().toEqualTypeOf<typeof inSqlite.$inferSelect>()
    expectTypeOf<typeof inPostgres.$inferInsert>().toEqualTypeOf<typeof inSqlite.$inferInsert>()
    expectTypeOf<keyof typeof postgres>().toEqualTypeOf<keyof Columns>()
    const words = Object.keys(inSqlite).filter((name) => !name.endsWith('_here'))
    expect(words.map((name) => name.replace(/_([oj])/, (_, letter: string) => letter.toUpperCase()))).toEqual(
      expect.arrayContaining(Object.keys(sqlite).filter((word) => !/^table|ndex$|^primaryKey/.test(word))),
    )
  })

  const lite = schema(sqlite)
  // The cast that `postgres.ts` makes: these are the tables it works on.
  const real = schema(postgres as unknown as Columns)

  test.each(Object.keys(lite) as (keyof typeof lite)[])('have the same table %s', (name) => {
    const ours = ofSqlite(lite[name])
    const theirs = ofPostgres(real[name] as unknown as PgTable)
    const columnsOf = (table: { columns: { name: string; notNull: boolean; primary: boolean }[] }) =>
      table.columns.map((column) => [column.name, column.notNull, column.primary])
    expect(columnsOf(theirs)).toEqual(columnsOf(ours))
    expect(theirs.indexes.map(({ config }) => [config.name, config.unique])).toEqual(
      ours.indexes.map(({ config }) => [config.name, config.unique]),
    )
    expect(theirs.foreignKeys).toHaveLength(ours.foreignKeys.length)
  })
})
