import { Problem } from '../../../platform/problems/index.ts'

export { shortId as hubId } from '../../../stores/db/index.ts'

const truthy = /^(true|1|yes|on)$/i

/** A boolean as clients write it: `True` (0.x), `true`, `1`. */
export function flagOf(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && truthy.test(value))
}

/** A list parameter: repeated `k`, repeated `k[]`, or one scalar. */
export function listOf(query: URLSearchParams, key: string): string[] {
  return [...query.getAll(key), ...query.getAll(`${key}[]`)].filter((value) => value !== '')
}

/** Each is one more condition of a statement, or a statement of its own. */
const maxConditions = 50

/** The values of a parameter that narrows a list. Problem `invalid-request` for more than 50. */
export function bounded(key: string, values: string[]): string[] {
  if (values.length > maxConditions)
    throw new Problem('invalid-request', { detail: `"${key}" may have at most ${maxConditions} values` })
  return values
}

/** A whole number between 1 and `max`, or `fallback` when absent; Problem `invalid-request` otherwise. */
export function countOf(query: URLSearchParams, key: string, fallback: number, max: number): number {
  const text = query.get(key)
  if (text === null) return fallback
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw new Problem('invalid-request', { detail: `"${key}" must be a whole number from 1` })
  return Math.min(Number(text), max)
}

/** Time as `parse_datetime` of the Python client wants it: milliseconds and `Z`. */
export const hubTime = (date: Date): string => date.toISOString()
