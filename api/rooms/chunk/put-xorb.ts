import type { Ctx } from '../../core/ctx.ts'
import { newId, type Tx } from '../../stores/db/index.ts'
import { deleteDiscarded, deleteReserved, discardKeys, keepKeys, reserveKeys } from '../../core/lfs/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { requirePendingQuota } from '../repos/index.ts'
import { blobKeys, drain, fromChunks, TooManyBytes, type ByteSource } from '../../stores/storage/index.ts'
import { FormatError } from './format/index.ts'
import { findSentXorbs, findXorb, recordXorb, touchXorbs } from './queries.ts'
import { fed, type Feed } from './threads/feed.ts'
import type { VerifiedXorb } from './threads/messages.ts'
import { runTask } from './threads/pool.ts'
import type { ChunkWriter } from './writer.ts'
import { Limiter } from '../../platform/flow/index.ts'

/** Clients fill 64 MiB of chunks; their headers and the footers of old clients come on top (chunk-upload.md §9). */
export const MAX_XORB_BYTES = 65 * 1024 * 1024
/** Xorbs read at once, for one user and in all; the JavaScript client does not try again, so others wait. */
const limiter = new Limiter({ perKey: 16, atOnce: 48 })

/**
 * Takes a xorb in: every chunk is decoded, hashed and bounded on its way to the store, and the whole must have the hash
 * it came under. One that is stored already is verified all the same, since that is the only proof of possession.
 * `wasInserted` is false only for a xorb that this user had sent before. Throws `invalid-request` naming what is wrong
 * with it, `body-too-large`, `quota-exceeded`, and the store's errors.
 */
export async function putXorb(
  ctx: Ctx,
  writer: ChunkWriter,
  hash: string,
  source: ByteSource,
  declaredBytes?: number,
): Promise<{ wasInserted: boolean }> {
  if (declaredBytes !== undefined && declaredBytes > MAX_XORB_BYTES) throw tooLarge()
  return limiter.run(writer.userId, async () => {
    try {
      return await takeIn(ctx, writer, hash, source, declaredBytes)
    } catch (error) {
      if (error instanceof TooManyBytes) throw tooLarge()
      if (error instanceof FormatError) throw unacceptable(hash, error.message, error)
      throw error
    }
  })
}

/** Whether this user has sent the xorb. */
export async function hasXorb({ db }: Ctx, { userId }: ChunkWriter, hash: string): Promise<boolean> {
  return (await findSentXorbs(db, userId, [hash])).length > 0
}

const tooLarge = () =>
  new Problem('body-too-large', { detail: `A chunk container may have at most ${MAX_XORB_BYTES} bytes.` })

const unacceptable = (hash: string, why: string, cause?: unknown) =>
  new Problem('invalid-request', { detail: `The chunk container ${hash} is not acceptable: ${why}`, cause })

async function takeIn(
  ctx: Ctx,
  writer: ChunkWriter,
  hash: string,
  source: ByteSource,
  declaredBytes: number | undefined,
) {
  // One that others have sent is stored again and its second copy dropped: to be quicker would tell of it.
  const isTheirs = await hasXorb(ctx, writer, hash)
  return isTheirs ? recognise(ctx, writer, hash, source) : store(ctx, writer, hash, source, declaredBytes)
}

/** A source that ends only if it is the xorb of this hash, and what was found in it. */
function verifying(hash: string, source: ByteSource) {
  let found: VerifiedXorb | undefined
  const verify = async (feed: Feed, signal: AbortSignal) => {
    found = await runTask('verify-xorb', undefined, { next: feed.next }, signal)
    if (found.hash !== hash) throw unacceptable(hash, `its bytes have the hash ${found.hash}`)
  }
  const bytes = fed(source, verify, MAX_XORB_BYTES)
  return {
    bytes,
    verdict() {
      if (!found) throw new Error('a xorb that was not read to its end')
      return found
    },
  }
}

async function recognise(ctx: Ctx, writer: ChunkWriter, hash: string, source: ByteSource) {
  await drain(verifying(hash, source).bytes)
  return ctx.db.write(async (tx) => {
    await touchXorbs(tx, ctx, [hash])
    // Its time had come while it was read; what is touched by now is not collected any more.
    if (!(await findXorb(tx, hash))) throw new Problem('temporarily-unavailable', { retryAfterS: 1 })
    return noteSent(tx, writer, hash)
  })
}

async function store(ctx: Ctx, writer: ChunkWriter, hash: string, source: ByteSource, declaredBytes = 0) {
  const key = blobKeys.xorb(hash, newId())
  const indexKey = blobKeys.xorbIndex(key)
  const keys = [key, indexKey]
  await ctx.db.write(async (tx) => {
    await requirePendingQuota(ctx, tx, writer, { moreBytes: declaredBytes, isContainer: true })
    await reserveKeys(tx, ctx, keys)
  })
  try {
    const verified = verifying(hash, source)
    const { sizeBytes } = await ctx.blobs.put(key, verified.bytes)
    const { index, n, unpackedBytes } = verified.verdict()
    await ctx.blobs.put(indexKey, fromChunks(index), { sizeBytes: index.length })
    const { unused, ...answer } = await ctx.db.write(async (tx) => {
      const row = { xorb_hash: hash, key, body_size: sizeBytes, unpacked: unpackedBytes, n }
      const isKept = (await recordXorb(tx, ctx, row)) === key
      // One statement either way: the time it takes must not tell whether others have sent it.
      await (isKept ? keepKeys : discardKeys)(tx, ctx, keys)
      const unused = isKept ? [] : keys
      const noted = await noteSent(tx, writer, hash)
      await requirePendingQuota(ctx, tx, writer, { isContainer: true })
      return { unused, ...noted }
    })
    deleteLater(ctx, unused)
    return answer
  } catch (error) {
    for (const one of keys) await deleteReserved(ctx, one)
    throw error
  }
}

/** Behind the answer, which would tell of a second copy if it waited. What fails is left to the `gc` job: the keys stay listed. */
function deleteLater(ctx: Ctx, keys: string[]): void {
  if (keys.length === 0) return
  setImmediate(() => {
    deleteDiscarded(ctx, keys).catch((err: unknown) =>
      ctx.log.warn({ err }, 'a second copy is left to the gc job'),
    )
  })
}

async function noteSent({ q, t }: Tx, { userId, repoId }: ChunkWriter, hash: string) {
  const { chunk_xorb_uploads: u } = t
  const noted = await q
    .insert(u)
    .values({ xorb_hash: hash, user_id: userId, repo_id: repoId })
    .onConflictDoNothing()
    .returning({ hash: u.xorb_hash })
  return { wasInserted: noted.length > 0 }
}
