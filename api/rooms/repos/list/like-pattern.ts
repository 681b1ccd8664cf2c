import { and, gte, lt, sql, type SQL } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'

/** `word` as both engines lower here: ASCII alone. */
export const lowered = (word: string): string => word.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** `word` as LIKE takes it literally; lowered on both sides. */
const literal = (word: string): string => lowered(word).replaceAll(/[\\%_]/g, '\\$&')

/** Whether lower-cased `text` contains `word`. */
export const containing = (text: SQL, word: string): SQL =>
  sql`${text} like ${`%${literal(word)}%`} escape '\\'`

/** Whether lower-cased `text` begins with `word`. */
export const beginning = (text: SQL, word: string): SQL =>
  sql`${text} like ${`${literal(word)}%`} escape '\\'`

/** Whether the lower-case `column` begins with `word`: a range, which an index of the column serves. */
export const startingWith = (column: AnySQLiteColumn, word: string): SQL | undefined =>
  and(gte(column, lowered(word)), lt(column, `${lowered(word)}\u{10FFFF}`))
