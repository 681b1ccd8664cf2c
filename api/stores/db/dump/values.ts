import type { Kind } from './tables.ts'

/** A value as a dump writes it: numbers for times (milliseconds), base64 for bytes, JSON as it is. */
export type DumpValue = unknown

/** What SQLite or Postgres gave, as a dump writes it. */
export function toDump(kind: Kind, value: unknown): DumpValue {
  if (value === null || value === undefined) return null
  if (kind === 'number') return Number(value)
  if (kind === 'bool') return value === true || value === 1
  if (kind === 'time') return value instanceof Date ? value.getTime() : Number(value)
  if (kind === 'bytes') return bytesOf(value).toString('base64')
  return value
}

function bytesOf(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value
  if (value instanceof ArrayBuffer) return Buffer.from(value)
  throw new Error('a column of bytes gave something else')
}

/** SQLite keeps JSON as text. */
export const parsedJson = (kind: Kind, value: unknown): unknown =>
  kind === 'json' && typeof value === 'string' ? JSON.parse(value) : value

/** A value of a dump as a parameter of SQLite. */
export function toSqlite(kind: Kind, value: DumpValue): string | number | Buffer | null {
  if (value === null) return null
  if (kind === 'json') return JSON.stringify(value)
  if (kind === 'bool') return value === true ? 1 : 0
  if (kind === 'bytes') return Buffer.from(String(value), 'base64')
  return kind === 'text' ? String(value) : Number(value)
}

/** A value of a dump as a parameter of Postgres. */
export function toPostgres(kind: Kind, value: DumpValue): unknown {
  if (value === null) return null
  if (kind === 'json') return JSON.stringify(value)
  if (kind === 'time') return new Date(Number(value))
  if (kind === 'bytes') return Buffer.from(String(value), 'base64')
  return value
}
