import { createHash } from 'node:crypto'
import type { Tables } from '../../../stores/db/index.ts'

/** A row of the audit as it is stored. */
export type StoredEvent = Tables['audit']['$inferSelect']

/** The hash before the first row: 64 zeros. */
export const NO_HASH = '0'.repeat(64)

/** JSON whose members are in the order of their names: Postgres (jsonb) does not keep the order they were written in. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

/**
 * The seal of a row: SHA-256 (lower-case hex) over the seal of the row before it, its number and all its columns, as one
 * JSON array. A row that is changed, or stands elsewhere in the chain, has another.
 */
export function sealOf(previous: string, seq: number, row: StoredEvent): string {
  const { id, at, request_id, actor_id, auth_kind, token_id, ip } = row
  const { action, target_type, target_id, target_name, before, after, outcome } = row
  const caller = [request_id, actor_id, auth_kind, token_id, ip]
  const change = [action, target_type, target_id, target_name, before, after, outcome]
  const text = canonical([previous, seq, id, at.toISOString(), ...caller, ...change])
  return createHash('sha256').update(text).digest('hex')
}
