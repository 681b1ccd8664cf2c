import { limits } from '../../../../shared/vocabulary.ts'

/** Bytes of the smallest part that is planned, but for the last. */
export const MIN_PART_BYTES = 16 * 1024 * 1024
/** Part URLs of one answer; large batches get larger parts instead of more. */
const PARTS_PER_ANSWER = 10_000

/** The largest object: what S3 can hold (Amazon S3 User Guide, "Multipart upload limits"). */
export const MAX_OBJECT_BYTES = 5 * 2 ** 40

/** Bytes per part of an object in a request that plans `batchBytes` in all (hub-wire.md §8.2). */
export function partSizeFor(sizeBytes: number, batchBytes: number): number {
  return Math.max(
    MIN_PART_BYTES,
    Math.ceil(sizeBytes / limits.partNumberMax),
    Math.ceil(batchBytes / PARTS_PER_ANSWER),
  )
}

/** How many parts an upload has; none when it is empty. */
export function partCount({ size, part_size }: { size: number; part_size: number }): number {
  return Math.ceil(size / part_size)
}

/** Bytes of part `n`, which counts from 1; `undefined` when there is no such part. */
export function partBytes(upload: { size: number; part_size: number }, n: number): number | undefined {
  const count = partCount(upload)
  if (n < 1 || n > count) return undefined
  return n < count ? upload.part_size : upload.size - (count - 1) * upload.part_size
}
