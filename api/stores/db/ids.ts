import { sql, type SQL } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { uuidv7 } from 'uuidv7'

/** A fresh UUIDv7: begins with the time, so rows sort as they were made. */
export const newId = (): string => uuidv7()

/** What ids made at a moment or later are not below. */
export function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-`
}

/** An id as slugs and hub clients write it: the first 12 and the last 12 hex digits of a UUIDv7 (hub-wire.md §1.1). */
export function shortId(id: string): string {
  const hex = id.replaceAll('-', '')
  return hex.slice(0, 12) + hex.slice(-12)
}

/** Whether `column` holds the id of which `short`, 24 lower-case hex digits, is the short form; an index of it serves. */
export function hasShortId(column: AnySQLiteColumn, short: string): SQL {
  const beginning = `${short.slice(0, 8)}-${short.slice(8, 12)}-`
  return sql`${column} > ${beginning} and ${column} < ${`${beginning}g`} and ${column} like ${`%-${short.slice(12)}`}`
}
