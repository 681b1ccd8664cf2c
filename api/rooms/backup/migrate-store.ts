import type { Ctx } from '../../core/ctx.ts'
import { StoreError, type BlobStat, type BlobStore } from '../../stores/storage/index.ts'
import { copyBlob, Damaged } from './copy-blob.ts'
import { eachOf } from './each.ts'
import { Steps, type OnProgress } from './progress.ts'

const AT_ONCE = 4
/** What servers write during one pass, the next one copies; a busy one never ends. */
const MAX_PASSES = 5

/** The key of a large file says what its bytes are. */
const sha256Of = (key: string) => /^lfs\/..\/..\/([0-9a-f]{64})\./.exec(key)?.[1]

/** What came of a migration. */
export interface Migrated {
  /** Objects there are in the new store. */
  objects: number
  copied: number
  bytes: number
  damaged: { key: string; message: string }[]
}

/**
 * Copies every object of the configured store to another one under the same key, beside servers that work on; what is there
 * already stays. Passes over the store follow each other until one finds nothing new. A run after the last server has stopped
 * leaves the new store whole.
 */
export async function migrateStore(
  { blobs, signal }: Pick<Ctx, 'blobs' | 'signal'>,
  to: BlobStore,
  report: OnProgress,
): Promise<Migrated> {
  const damaged = new Map<string, string>()
  let [copied, bytes] = [0, 0]
  for (let pass = 1; ; pass++) {
    let [objects, fresh] = [0, 0]
    const steps = new Steps(`pass ${pass}`, 0, report)
    await eachOf(blobs.list(''), AT_ONCE, async (stat) => {
      signal.throwIfAborted()
      objects++
      if (damaged.has(stat.key)) return
      const result = await copyOne({ blobs, to, signal }, stat)
      if (result === 'copied') {
        fresh++
        bytes += stat.sizeBytes
        steps.add(stat.sizeBytes)
      } else if (result !== undefined) damaged.set(stat.key, result.message)
    })
    copied += fresh
    if (fresh === 0 || pass === MAX_PASSES)
      return { objects, copied, bytes, damaged: [...damaged].map(([key, message]) => ({ key, message })) }
  }
}

async function copyOne(
  { blobs, to, signal }: { blobs: BlobStore; to: BlobStore; signal: AbortSignal },
  { key, sizeBytes }: BlobStat,
): Promise<'copied' | { message: string } | undefined> {
  if ((await to.stat(key))?.sizeBytes === sizeBytes) return undefined
  try {
    await copyBlob(
      { from: blobs, fromKey: key, to, toKey: key },
      { sizeBytes, sha256: sha256Of(key) },
      signal,
    )
    return 'copied'
  } catch (error) {
    // Deleted since it was listed.
    if (error instanceof StoreError && error.kind === 'missing') return undefined
    if (error instanceof Damaged) return { message: error.message }
    throw error
  }
}
