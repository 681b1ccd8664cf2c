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

/** Phrases that count for the order, and characters of each text. More would only take longer. */
const SCORED_PHRASES = 8
const SCORED_LENGTH = 4000
/** Of a text of common length; with constants, as BM25 has them. */
const COMMON_LENGTH = 3000
const [SATURATION, LENGTH_SHARE] = [1.2, 0.75]

function inSqlite(words: SQLiteColumn, id: SQLiteColumn, { phrases, isOpen }: TextQuery): SQL {
  const { table } = words
  const quoted = phrases.map((phrase) => `"${phrase.join(' ').replaceAll('"', '""')}"`)
  const match = quoted.join(' AND ') + (isOpen ? ' *' : '')
  const index = sql`${sql.identifier(`${getTableName(table)}_index`)}`
  const weights = phrases.slice(0, SCORED_PHRASES).map((phrase) => weightIn(words, phrase))
  return sql`(select ${id} as id, -(${sql.join(weights, sql` + `)}) as score from ${index} cross join ${table}
    on ${table}."number" = ${index}."rowid" where ${index} match ${match})`
}

/**
 * How much a phrase is in a text: BM25 without the part that counts all texts. FTS5's own has that part, and so the order
 * of what people see would tell them which words stand in texts that are hidden from them.
 */
function weightIn(words: SQLiteColumn, phrase: string[]): SQL {
  const wanted = ` ${phrase.join(' ')}`
  const text = sql`(' ' || substr(${words}, 1, ${sql.raw(String(SCORED_LENGTH))}))`
  const bytesLess = sql`(octet_length(${text}) - octet_length(replace(${text}, ${wanted}, '')))`
  const count = sql`(${bytesLess} * 1.0 / ${Buffer.byteLength(wanted)})`
  const [least, more] = [SATURATION * (1 - LENGTH_SHARE), (SATURATION * LENGTH_SHARE) / COMMON_LENGTH]
  const limit = sql`(${sql.raw(String(least))} + ${sql.raw(String(more))} * octet_length(${words}))`
  // As count / (count + limit), with the long part once.
  return sql`(1 - ${limit} / (${count} + ${limit}))`
}

function inPostgres({ table }: SQLiteColumn, id: SQLiteColumn, { phrases, isOpen }: TextQuery): SQL {
  const literal = (word: string) => `'${word.replaceAll(/['\\]/g, '$&$&')}'`
  const quoted = phrases.map((phrase) => `(${phrase.map(literal).join(' <-> ')})`)
  const last = phrases.at(-1)
  if (isOpen && last) quoted[quoted.length - 1] = `(${last.map(literal).join(' <-> ')}:*)`
  return sql`(select ${id} as id, -ts_rank(${table}."words_vector", wanted, 1) as score from ${table},
    to_tsquery('simple', ${quoted.join(' & ')}) as wanted where ${table}."words_vector" @@ wanted)`
}
