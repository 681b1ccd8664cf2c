import type { Ctx } from '../../../core/ctx.ts'
import type { ProvenObject } from '../../../core/lfs/index.ts'
import { hashing, StoreError, type ByteSource } from '../../../stores/storage/index.ts'
import { digestMismatch, sizeMismatch } from '../failures.ts'

/** Stores bytes of a known length, hashing them on the way; answers their SHA-256 in hex. */
export async function putHashed(
  { blobs }: Pick<Ctx, 'blobs'>,
  key: string,
  source: ByteSource,
  sizeBytes: number,
): Promise<string> {
  const hashed = hashing(source, 'sha256')
  try {
    await blobs.put(key, hashed.source, { sizeBytes })
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'corrupt') throw sizeMismatch(sizeBytes)
    throw error
  }
  return (await hashed.digest()).hex
}

/** Stores bytes under a reserved key and proves that they are what was declared. */
export async function putProven(
  ctx: Pick<Ctx, 'blobs'>,
  object: ProvenObject,
  source: ByteSource,
): Promise<void> {
  const found = await putHashed(ctx, object.key, source, object.sizeBytes)
  if (found !== object.sha256) throw digestMismatch(object.sha256, found)
}
