import type { Ctx } from '../../core/ctx.ts'
import { newId } from '../../stores/db/index.ts'
import { deleteDiscarded, deleteReserved, reserveKeys } from '../../core/lfs/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { blobKeys, drain, limited, TooManyBytes, type ByteSource } from '../../stores/storage/index.ts'
import { ShardValidation, unknownXorb } from './validate-shard.ts'
import { blaming, DamagedXorb, forgetDamaged } from './damaged-xorb.ts'
import { FormatError } from './format/index.ts'
import { registerShard } from './register-shard.ts'
import { fed } from './threads/feed.ts'
import { runTask } from './threads/pool.ts'
import { watchRebuilds, type RebuildProgress } from './watch-rebuilds.ts'
import type { ChunkWriter } from './writer.ts'
import { indexName } from './xorb-index.ts'
import { Limiter } from '../../platform/flow/index.ts'

/** Twice what clients aim at (chunk-upload.md §9). */
export const MAX_SHARD_BYTES = 128 * 1024 * 1024
/** Manifests checked at once: a check holds the terms of one file and some indexes in memory. */
const limiter = new Limiter({ perKey: 1, atOnce: 2 })

/** A manifest whose every hash holds; what is left is to put its files together. */
export interface Acceptance {
  /** Nothing is left to do. */
  isDone: boolean
  /**
   * Progress, at once and whenever there is some, until every file is an object. Throws the Problem of a file that
   * could not be rebuilt.
   */
  watch(signal: AbortSignal): AsyncGenerator<RebuildProgress>
}

/**
 * Takes a shard in by chunk-upload.md §9: its structure, the caller's possession of every xorb it names, every hash, and
 * the size limits are checked before anything is promised; from then on only the SHA-256 of its files is open, and the
 * job that finds it exists. May be repeated. Throws `invalid-request` naming file and check, `file-too-large`,
 * `body-too-large`, `repo-not-found`, and the store's errors.
 */
export async function acceptShard(
  ctx: Ctx,
  writer: ChunkWriter,
  source: ByteSource,
  declaredBytes?: number,
): Promise<Acceptance> {
  if (declaredBytes !== undefined && declaredBytes > MAX_SHARD_BYTES) throw tooLarge()
  const key = blobKeys.shard(newId(), newId())
  await ctx.db.write((tx) => reserveKeys(tx, ctx, [key]))
  try {
    const { sizeBytes } = await ctx.blobs.put(key, limited(source, MAX_SHARD_BYTES))
    const validation = await limiter.run(writer.userId, () => verify(ctx, writer, key, sizeBytes))
    const { rebuilds, unused } = await registerShard(ctx, writer, key, validation)
    await deleteDiscarded(ctx, unused)
    return { isDone: rebuilds.length === 0, watch: (signal) => watchRebuilds(ctx, rebuilds, signal) }
  } catch (error) {
    await deleteReserved(ctx, key)
    if (error instanceof DamagedXorb) {
      await ctx.db.write((tx) => forgetDamaged(tx, ctx, error))
      throw unknownXorb(error.xorb.xorb_hash)
    }
    if (error instanceof TooManyBytes) throw tooLarge()
    if (error instanceof FormatError)
      throw new Problem('invalid-request', {
        detail: `The upload's manifest is not acceptable: ${error.message}`,
        cause: error,
      })
    throw error
  }
}

const tooLarge = () =>
  new Problem('body-too-large', { detail: `A manifest may have at most ${MAX_SHARD_BYTES} bytes.` })

async function verify(
  ctx: Ctx,
  writer: ChunkWriter,
  key: string,
  totalBytes: number,
): Promise<ShardValidation> {
  const validation = new ShardValidation(ctx, writer)
  const nameOf = async (hash: string) => indexName(key, await validation.key(hash))
  const checked = fed(await ctx.blobs.read(key), (feed, signal) =>
    runTask(
      'verify-shard',
      { totalBytes },
      { next: feed.next, validate: validation.validate, key: nameOf, index: validation.index },
      signal,
    ),
  )
  try {
    await drain(checked)
  } catch (error) {
    throw blaming(validation.lastRead, error)
  }
  return validation
}
