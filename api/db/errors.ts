import { DrizzleQueryError } from 'drizzle-orm'
import { Problem } from '../problems/index.ts'

/** A unique index or primary key refused the row. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
}
/** The row it refers to is absent, or is still referred to. */
export class ForeignKeyViolation extends Error {
  override name = 'ForeignKeyViolation'
}

// Codes: libsql's `extendedCode`; PostgreSQL's appendix A (class 23, 40).
const unique = new Set(['SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE', '23505'])
const foreignKey = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'])
const busy = new Set(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED', '57P03', '53300'])
const retryable = new Set(['40001', '40P01'])
const full = new Set(['SQLITE_FULL', '53100'])

function codesOf(error: unknown): string[] {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  if (!(cause instanceof Error)) return []
  const { code, extendedCode } = cause as Error & { code?: unknown; extendedCode?: unknown }
  return [extendedCode, code].filter((value) => typeof value === 'string')
}

/** Whether Postgres asks to run the transaction again. */
export function isRetryable(error: unknown): boolean {
  return codesOf(error).some((code) => retryable.has(code))
}

/** The house's error for a driver's: violations typed, busy and full as Problems, anything else unchanged. */
export function translateError(error: unknown): unknown {
  const codes = codesOf(error)
  const has = (set: Set<string>) => codes.some((code) => set.has(code))
  if (has(unique)) return new UniqueViolation('unique violation', { cause: error })
  if (has(foreignKey)) return new ForeignKeyViolation('foreign key violation', { cause: error })
  if (has(busy) || has(retryable)) return new Problem('database-busy', { retryAfterS: 1, cause: error })
  if (has(full)) return new Problem('storage-full', { cause: error })
  return error
}
