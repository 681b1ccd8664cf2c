import { DrizzleQueryError } from 'drizzle-orm'
import { Problem } from '../../platform/problems/index.ts'

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
const busy = new Set(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED', '53300', '55P03'])
const retryable = new Set(['40001', '40P01'])
// Class 08; shut down, crashed, starting (57P0x); cut off for idling in a transaction; a primary that became a standby.
const lost = new Set(['57P01', '57P02', '57P03', '25P03', '25006'])
const lostSocket = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
// pg 8.23 gives these errors no code. The last is that of a request which outlived `server.shutdown_timeout`.
const lostText =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Cannot use a pool after calling end)/
const full = new Set(['SQLITE_FULL', '53100'])

const causeOf = (error: unknown) => (error instanceof DrizzleQueryError ? error.cause : error)

function codesOf(error: unknown): string[] {
  const cause = causeOf(error)
  if (!(cause instanceof Error)) return []
  const { code, extendedCode } = cause as Error & { code?: unknown; extendedCode?: unknown }
  return [extendedCode, code].filter((value) => typeof value === 'string')
}

/** Whether another process holds the lock of SQLite. */
export const isBusy = (error: unknown): boolean => codesOf(error).some((code) => busy.has(code))

/** Whether Postgres asks to run the transaction again. */
export function isRetryable(error: unknown): boolean {
  return codesOf(error).some((code) => retryable.has(code))
}

/**
 * Whether the connection to Postgres broke or could not be made: what was under way came to nothing, unless COMMIT had
 * been sent.
 */
export function isConnectionLost(error: unknown): boolean {
  const cause = causeOf(error)
  if (!(cause instanceof Error) || cause instanceof Problem) return false
  return (
    lostText.test(cause.message) ||
    codesOf(error).some((code) => lost.has(code) || lostSocket.has(code) || /^08\w{3}$/.test(code))
  )
}

/** Whether the query was not even sent, since its connection was known to be broken. */
export function isUnsent(error: unknown): boolean {
  const cause = causeOf(error)
  return cause instanceof Error && cause.message.startsWith('Client has encountered a connection error')
}

/** The house's error for a driver's: violations typed; busy, out of reach and full as Problems; anything else unchanged. */
export function translateError(error: unknown): unknown {
  const codes = codesOf(error)
  const has = (set: Set<string>) => codes.some((code) => set.has(code))
  if (has(unique)) return new UniqueViolation('unique violation', { cause: error })
  if (has(foreignKey)) return new ForeignKeyViolation('foreign key violation', { cause: error })
  if (has(busy) || has(retryable) || isConnectionLost(error))
    return new Problem('database-busy', { retryAfterS: 1, cause: error })
  if (has(full)) return new Problem('storage-full', { cause: error })
  return error
}

/** What a read met that may pass, as a Problem; writes throw theirs by themselves. `undefined` for anything else. */
export function readProblem(error: unknown): Problem | undefined {
  const known = error instanceof DrizzleQueryError ? translateError(error) : undefined
  return known instanceof Problem ? known : undefined
}
