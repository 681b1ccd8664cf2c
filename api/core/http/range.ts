import type { ByteRange } from '../../stores/storage/index.ts'

/** What a request wants of a stored representation (RFC 9110 §13.2.2, §14). */
export type Wanted =
  | { kind: 'changed' }
  | { kind: 'not-modified' }
  | { kind: 'unsatisfiable' }
  | { kind: 'part'; range: ByteRange }
  | { kind: 'whole' }

/** Only strong validators match here (RFC 9110 §13.1.1), and ours are strong. */
const matches = (header: string, etag: string) =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etag)

const tags = (header: string) => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))

/**
 * Decides between 412, 304, 416, 206 and 200 for `sizeBytes` of content whose strong validator is `etag`, quotes included.
 * Only a single range is honoured; several, other units and malformed ones answer the whole. An empty file has no
 * satisfiable range, yet answers whole: JS hub clients probe with `bytes=0-0` (hub-wire.md §4.1).
 *
 * `If-Modified-Since` counts where no ETag is named (RFC 9110 §13.1.3), and when it is the very date that was sent: a branch
 * that is moved back has an older date and other bytes. nginx compares so as well (`if_modified_since exact`).
 */
export function wanted(
  header: (name: Lowercase<string>) => string | undefined,
  sizeBytes: number,
  etag: string | undefined,
  modifiedAt?: Date,
): Wanted {
  const ifMatch = header('if-match')
  if (etag && ifMatch && !matches(ifMatch, etag)) return { kind: 'changed' }
  const ifNoneMatch = header('if-none-match')
  if (etag && ifNoneMatch && (ifNoneMatch.trim() === '*' || tags(ifNoneMatch).includes(etag)))
    return { kind: 'not-modified' }
  const since = header('if-modified-since')
  if (!ifNoneMatch && since && modifiedAt && since.trim() === modifiedAt.toUTCString())
    return { kind: 'not-modified' }
  const range = header('range')
  const ifRange = header('if-range')
  if (!range || sizeBytes === 0 || (ifRange && ifRange.trim() !== etag)) return { kind: 'whole' }
  return singleRange(range, sizeBytes)
}

function singleRange(header: string, sizeBytes: number): Wanted {
  const match = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header)
  const [first = '', last = ''] = match?.slice(1) ?? []
  if (first === '' && last === '') return { kind: 'whole' }
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length === 0
      ? { kind: 'unsatisfiable' }
      : { kind: 'part', range: { offset: sizeBytes - length, length } }
  }
  const offset = Number(first)
  if (last !== '' && Number(last) < offset) return { kind: 'whole' }
  if (offset >= sizeBytes) return { kind: 'unsatisfiable' }
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  return { kind: 'part', range: { offset, length: end - offset + 1 } }
}
