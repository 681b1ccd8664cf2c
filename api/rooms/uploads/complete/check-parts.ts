import { Problem, type FieldError } from '../../../platform/problems/index.ts'
import { partCount } from '../receive/part-size.ts'
import type { UploadRow } from '../queries.ts'

/** A part as the client remembers it; the tag may come in quotes. */
export interface ClaimedPart {
  n: number
  etag: string
}

/** Faults of one answer; who lacks more parts than these sends them first. */
const MAX_FAULTS = 100
/** Faults that the text itself tells. */
const MAX_SHOWN = 5

/** A tag without its quotes. */
export const bareTag = (etag: string) =>
  etag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1')

/** Throws `validation-failed`, naming every fault, unless exactly the parts of the upload are stored and claimed. */
export function checkParts(upload: UploadRow, stored: ClaimedPart[], claimed: ClaimedPart[]): void {
  const faults: FieldError[] = []
  const fault = (n: number, code: string, message: string) =>
    faults.push({ field: `parts.${n}`, code, message: `part ${n} ${message}` })
  const count = partCount(upload)
  const claims = new Map(claimed.map((part) => [part.n, bareTag(part.etag)]))
  const rows = new Map(stored.map((row) => [row.n, row]))
  for (let n = 1; n <= count && faults.length < MAX_FAULTS; n++) {
    const row = rows.get(n)
    if (!row) fault(n, 'missing', 'has not been stored')
    else if (!claims.has(n)) fault(n, 'required', 'is stored but not listed')
    else if (claims.get(n) !== row.etag) fault(n, 'etag-mismatch', 'is stored with another ETag')
  }
  for (const n of claims.keys())
    if ((n < 1 || n > count) && faults.length < MAX_FAULTS) fault(n, 'unknown', `is not one of ${count}`)
  if (faults.length === 0) return
  // Hub clients show this text alone.
  const shown = faults.slice(0, MAX_SHOWN).map(({ message }) => message)
  const more = faults.length > shown.length ? ', and more' : ''
  throw new Problem('validation-failed', {
    detail: `The parts do not make up the upload: ${shown.join(', ')}${more}. Send these again, then complete it.`,
    errors: faults,
  })
}
