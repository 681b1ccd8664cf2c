import { sql, type SQL } from 'drizzle-orm'

/** `word` as LIKE takes it literally; `lower()` on both sides, since LIKE ignores case on SQLite only. */
const literal = (word: string): string => word.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')

/** Whether lower-cased `text` contains `word`. */
export const containing = (text: SQL, word: string): SQL =>
  sql`${text} like ${`%${literal(word)}%`} escape '\\'`

/** Whether lower-cased `text` begins with `word`. */
export const beginning = (text: SQL, word: string): SQL =>
  sql`${text} like ${`${literal(word)}%`} escape '\\'`
