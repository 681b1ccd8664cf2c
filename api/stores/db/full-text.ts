import { getTableName, is, sql, type SQL } from 'drizzle-orm'
import { PgColumn } from 'drizzle-orm/pg-core'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

/*
 * Full-text search over a column `words` that holds words with blanks between them. Each engine's index of it is made by
 * the migration and kept by the engine: on SQLite the FTS5 table `{table}_index`, whose rows have the `number` of the
 * table's and are written by triggers; on Postgres the generated column `words_vector` with a GIN index.
 */

/** What is looked for: every phrase, which is words that follow each other. */
export interface TextQuery {
  phrases: string[][]
  /** Whether the last word may be the beginning of a longer one. */
  isOpen: boolean
}

/**
 * The rows of the table of `words` that have what is looked for, for `from` and joins: `id`, and `score`, which is lower
 * for what fits better. Any word is taken literally.
 */
export const fullText = (words: SQLiteColumn, id: SQLiteColumn, query: TextQuery): SQL =>
  is(words, PgColumn) ? inPostgres(words, id, query) : inSqlite(words, id, query)

function inSqlite({ table }: SQLiteColumn, id: SQLiteColumn, { phrases, isOpen }: TextQuery): SQL {
  const quoted = phrases.map((phrase) => `"${phrase.join(' ').replaceAll('"', '""')}"`)
  const match = quoted.join(' AND ') + (isOpen ? ' *' : '')
  const index = sql`${sql.identifier(`${getTableName(table)}_index`)}`
  return sql`(select ${id} as id, bm25(${index}) as score from ${index} cross join ${table}
    on ${table}."number" = ${index}."rowid" where ${index} match ${match})`
}

function inPostgres({ table }: SQLiteColumn, id: SQLiteColumn, { phrases, isOpen }: TextQuery): SQL {
  const literal = (word: string) => `'${word.replaceAll(/['\\]/g, '$&$&')}'`
  const quoted = phrases.map((phrase) => `(${phrase.map(literal).join(' <-> ')})`)
  const last = phrases.at(-1)
  if (isOpen && last) quoted[quoted.length - 1] = `(${last.map(literal).join(' <-> ')}:*)`
  return sql`(select ${id} as id, -ts_rank(${table}."words_vector", wanted) as score from ${table},
    to_tsquery('simple', ${quoted.join(' & ')}) as wanted where ${table}."words_vector" @@ wanted)`
}
