import type { ByteRange } from './blob-store.ts'
import { StoreError } from './store-error.ts'

const segment = /^[a-z0-9][a-z0-9._-]{0,199}$/
const prefixEnd = /^(?:[a-z0-9][a-z0-9._-]{0,199})?$/

/** As many parts as S3 allows (Multipart upload limits, Amazon S3 User Guide). */
const MAX_PARTS = 10_000

export function isSegment(name: string): boolean {
  return segment.test(name)
}

/** Rejects what `paths.ts` never builds: empty, hidden or overlong segments, capitals, anything that climbs out. */
export function requireKey(key: string): void {
  if (!key.split('/').every(isSegment)) throw new StoreError('permanent', key, 'not a key')
}

/** A prefix is the beginning of a key, possibly empty. */
export function requirePrefix(prefix: string): void {
  const parts = prefix.split('/')
  const end = parts.pop() ?? ''
  if (!parts.every(isSegment) || !prefixEnd.test(end))
    throw new StoreError('permanent', prefix, 'not a prefix')
}

export function requirePartNumber(key: string, n: number): void {
  if (!Number.isInteger(n) || n < 1 || n > MAX_PARTS)
    throw new StoreError('permanent', key, `part number ${n} is not from 1 to ${MAX_PARTS}`)
}

/** Rejects a completion without parts or with parts that do not rise. */
export function requireRisingParts(key: string, parts: readonly { n: number }[]): void {
  const isRising = parts.every((part, at) => at === 0 || part.n > (parts[at - 1]?.n ?? 0))
  if (parts.length === 0 || !isRising)
    throw new StoreError('corrupt', key, 'parts are absent or out of order')
}

/** The bytes of `range` that an object has: first byte and the one after the last. */
export function clampRange(
  key: string,
  sizeBytes: number,
  range: ByteRange | undefined,
): { start: number; end: number } {
  if (!range) return { start: 0, end: sizeBytes }
  const { offset, length } = range
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 0)
    throw new StoreError('permanent', key, `not a range: ${offset}+${length}`)
  return { start: Math.min(offset, sizeBytes), end: Math.min(offset + length, sizeBytes) }
}
