import type { Ctx } from '../../core/ctx.ts'
import { newId } from '../../stores/db/index.ts'
import { deleteReserved, reserveKeys } from '../../core/lfs/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { returnSlab } from '../../platform/direct-io/index.ts'
import { blobKeys, requireDiskSpace, derived, type ByteSource } from '../../stores/storage/index.ts'
import { blaming } from './damaged-xorb.ts'
import type { RebuildRow, XorbRow } from './queries.ts'
import { RangeReader } from './range-reader.ts'
import { ShardTerms } from './shard-terms.ts'
import { Outlet } from './threads/outlet.ts'
import { runTask } from './threads/pool.ts'

/** A file that was put together. */
export interface Rebuilt {
  /** Lower-case hex. */
  sha256: string
  /** Where its bytes are; dropped when the object was there already. */
  key: string
}

interface Run {
  signal: AbortSignal
  terms: ShardTerms
  /** Gets the number of bytes that were put together. */
  progress(bytes: number): Promise<void>
}

/** Below this the disk is not asked before: what fills it with such files fills it with xorbs, too. */
const UNCHECKED_BYTES = 64 * 1024 * 1024

/**
 * Reserves a key for each of these files, by the row's id, whether or not its object is stored: to be quicker about one
 * that others have would tell of it. What has no SHA-256 yet gets one when it has. Throws `storage-full` when they would
 * not fit: a small manifest may describe a file of any size.
 */
export async function reserveObjects(
  ctx: Ctx,
  rows: Pick<RebuildRow, 'id' | 'claimed_sha256' | 'size'>[],
): Promise<Map<string, string>> {
  const claims = rows.flatMap(({ id, claimed_sha256: sha256, size }) =>
    sha256 === null ? [] : [{ id, sha256, size }],
  )
  const bytes = claims.reduce((sum, { size }) => sum + size, 0)
  if (bytes > UNCHECKED_BYTES) await requireDiskSpace(ctx.blobs, bytes, 'the files put together')
  const keys = new Map(claims.map(({ id, sha256 }) => [id, blobKeys.lfsObject(sha256, newId())]))
  if (keys.size > 0) await ctx.db.write((tx) => reserveKeys(tx, ctx, [...keys.values()]))
  return keys
}

/**
 * Puts one file together from its terms, under the key that `reserveObjects` found for it. Its SHA-256 is computed whatever
 * the sender said. Throws Problem `digest-mismatch` when sound chunks have another,
 * DamagedXorb for chunks that do not hold any more, and the store's errors.
 */
export async function rebuildFile(
  ctx: Ctx,
  row: RebuildRow,
  reserved: string | undefined,
  xorbs: Map<string, XorbRow>,
  run: Run,
): Promise<Rebuilt> {
  const sha256 = row.claimed_sha256 ?? (await hashFile(ctx, row, xorbs, run))
  const named = { ...row, claimed_sha256: sha256 }
  const key = reserved ?? (await reserveObjects(ctx, [named])).get(row.id)
  if (key === undefined) throw new Error('a file without a key')
  return putTogether(ctx, named, sha256, key, xorbs, run)
}

async function putTogether(
  ctx: Ctx,
  row: RebuildRow,
  sha256: string,
  key: string,
  xorbs: Map<string, XorbRow>,
  run: Run,
): Promise<Rebuilt> {
  try {
    await ctx.blobs.put(key, rebuiltBytes(ctx, row, sha256, xorbs, run), {
      sizeBytes: row.size,
      // On a virtual machine the page cache made an upload of 1 GiB by chunks take 4.3 CPU seconds instead of 2.7.
      isUncached: true,
      signal: run.signal,
    })
  } catch (error) {
    await deleteReserved(ctx, key)
    if (error instanceof OtherBytes) throw await verdict(ctx, row, sha256, xorbs, run)
    throw error
  }
  return { sha256, key }
}

/** The bytes have not the SHA-256 that they were expected to have. */
class OtherBytes extends Error {}

/** Whose fault other bytes are: the sender's only if manifest and chunks, read again, are still what they sent. */
async function verdict(
  ctx: Ctx,
  row: RebuildRow,
  claimed: string,
  xorbs: Map<string, XorbRow>,
  run: Run,
): Promise<Problem> {
  const terms = new ShardTerms(ctx, row.shard_key, run.signal)
  const found = await hashFile(ctx, row, xorbs, { ...run, terms })
  if (found === claimed)
    return new Problem('temporarily-unavailable', { detail: 'The store gave other bytes than it holds.' })
  return new Problem('digest-mismatch', {
    detail: `The file ${row.file_hash} was sent as SHA-256 ${claimed}, but its bytes have ${found}.`,
  })
}

/** The SHA-256 of what the chunks make, whose file hash must be the one that was sent. */
async function hashFile(ctx: Ctx, row: RebuildRow, xorbs: Map<string, XorbRow>, run: Run): Promise<string> {
  const reader = new RangeReader(ctx, row, xorbs, run)
  try {
    const plan = { ...planOf(row), isWanted: false, fileHash: row.file_hash }
    return (await runTask('rebuild', plan, reader.asked, run.signal)).sha256
  } catch (error) {
    throw blaming(reader.lastRead, error)
  } finally {
    await reader.close()
  }
}

const planOf = ({ terms, size }: RebuildRow) => ({ terms, sizeBytes: size })

/** The bytes of a file as the thread puts them together; they end only if they have the SHA-256 `expected`. */
function rebuiltBytes(
  ctx: Ctx,
  row: RebuildRow,
  expected: string,
  xorbs: Map<string, XorbRow>,
  run: Run,
): ByteSource {
  const outlet = new Outlet(row.size)
  const bytes = derived([], async function* () {
    const reader = new RangeReader(ctx, row, xorbs, run)
    const givenUp = new AbortController()
    const signal = AbortSignal.any([run.signal, givenUp.signal])
    const asked = { ...reader.asked, put: outlet.put }
    const plan = { ...planOf(row), isWanted: true, fileHash: undefined }
    const task = runTask('rebuild', plan, asked, signal)
    task.then(outlet.end, outlet.fail)
    try {
      for await (const chunk of outlet.bytes()) {
        const { length } = chunk
        yield chunk
        await run.progress(length)
      }
      const { sha256 } = await task
      if (sha256 !== expected) throw new OtherBytes()
    } catch (error) {
      throw blaming(reader.lastRead, error)
    } finally {
      givenUp.abort(new Error('the reader has left'))
      await reader.close()
    }
  })
  return Object.assign(bytes, { giveBack: returnSlab })
}
