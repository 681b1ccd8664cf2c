import { ViewerFault } from './viewer-fault.ts'

/** Parameters of a request; a blank one counts as missing. */
export type Params = (name: string) => string | undefined

/** A parameter that the endpoint cannot do without. */
export function required(params: Params, name: string): string {
  const value = params(name)
  if (value === undefined || value.trim() === '')
    throw new ViewerFault('MissingRequiredParameter', `Parameter '${name}' is required.`)
  return value
}

export function optional(params: Params, name: string): string | undefined {
  const value = params(name)
  return value === undefined || value.trim() === '' ? undefined : value
}

const invalid = (name: string, rule: string) =>
  new ViewerFault('InvalidParameter', `Parameter '${name}' must be ${rule}.`)

function wholeNumber(params: Params, name: string, fallback: number, rule: string, max: number): number {
  const text = optional(params, name)
  if (text === undefined) return fallback
  if (!/^\d{1,15}$/.test(text) || Number(text) > max) throw invalid(name, rule)
  return Number(text)
}

/** Most rows of one page. */
export const PAGE_ROWS = 100

/** `offset` and `length` of a page of rows. */
export function pageOf(params: Params): { offset: number; length: number } {
  return {
    offset: wholeNumber(params, 'offset', 0, 'a whole number from 0', Number.MAX_SAFE_INTEGER),
    length: wholeNumber(params, 'length', PAGE_ROWS, `a whole number from 0 to ${PAGE_ROWS}`, PAGE_ROWS),
  }
}
