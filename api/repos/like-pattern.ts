import { sql, type SQL } from 'drizzle-orm'

/** `word` as LIKE takes it literally; lowered on both sides as both engines lower here: ASCII alone. */
const literal = (word: string): string =>
  word.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll(/[\\%_]/g, '\\$&')

/** Whether lower-cased `text` contains `word`. */
export const containing = (text: SQL, word: string): SQL =>
  sql`${text} like ${`%${literal(word)}%`} escape '\\'`

/** Whether lower-cased `text` begins with `word`. */
export const beginning = (text: SQL, word: string): SQL =>
  sql`${text} like ${`${literal(word)}%`} escape '\\'`
