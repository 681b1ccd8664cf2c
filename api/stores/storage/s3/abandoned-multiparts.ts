import type { S3Bucket } from './bucket.ts'
import { listMultiparts } from './list.ts'
import type { S3Multiparts } from './multipart.ts'

const dayMs = 24 * 3_600_000

/** A put in parts that is older has lost its writer. */
const PUT_AGE_MS = 7 * dayMs

/** Objects of large files: uploads that clients fill are aborted when their rows expire; so old ones have none. */
const UPLOAD_AGE_MS = 60 * dayMs

/** Aborts the multipart uploads that a crash left behind, whose parts would be paid for. Answers how many. */
export async function sweepMultiparts(
  bucket: S3Bucket,
  multiparts: S3Multiparts,
  now: Date,
): Promise<number> {
  let aborted = 0
  for await (const { key, id, begunAt } of listMultiparts(bucket)) {
    const ageMs = now.getTime() - begunAt.getTime()
    if (ageMs < (key.startsWith('lfs/') ? UPLOAD_AGE_MS : PUT_AGE_MS)) continue
    await multiparts.abortAt(key, id)
    aborted++
  }
  return aborted
}
