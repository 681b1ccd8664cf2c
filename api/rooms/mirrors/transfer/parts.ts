import type { Ctx } from '../../../core/ctx.ts'
import { deleteReserved, keepKeys, reserveKeys } from '../../../core/lfs/index.ts'
import { newId } from '../../../stores/db/index.ts'
import { returnSlab, type Slab } from '../../../platform/direct-io/index.ts'
import { blobKeys, derived, inSlabs, type ByteRange, type ByteSource } from '../../../stores/storage/index.ts'
import { leaseLost } from './lease.ts'
import { addPart, BLOCK_BYTES, offsetOf, type TransferPart, type TransferRow } from './rows.ts'

/** What a file is fetched in: a kill costs at most so much of each range in flight. */
export const PART_BYTES = 32 * BLOCK_BYTES

/** What no part covers, in pieces of at most `PART_BYTES`. */
export function gapsOf({ size }: Pick<TransferRow, 'size'>, parts: readonly TransferPart[]): ByteRange[] {
  const gaps: ByteRange[] = []
  let at = 0
  for (const end of [...parts.map(offsetOf), size]) {
    for (; at < end; at += PART_BYTES) gaps.push({ offset: at, length: Math.min(PART_BYTES, end - at) })
    const part = parts.find((one) => offsetOf(one) === end)
    at = end + (part?.size ?? 0)
  }
  return gaps
}

/** Stores a part and notes it. Problem `temporarily-unavailable` when another process has the file by now. */
export async function putPart(
  ctx: Ctx,
  row: TransferRow,
  range: ByteRange,
  body: ByteSource,
  { signal }: { signal?: AbortSignal } = {},
): Promise<TransferPart> {
  const n = range.offset / BLOCK_BYTES + 1
  const key = blobKeys.transferPart(row.id, n, newId())
  await ctx.db.write((tx) => reserveKeys(tx, ctx, [key]))
  await ctx.blobs.put(key, body, { sizeBytes: range.length, ...(signal && { signal }) })
  const isKept = await ctx.db.write(async (tx) => {
    const isHeld = await addPart(tx, ctx, row, { offset: range.offset, key, size: range.length })
    if (isHeld) await keepKeys(tx, ctx, [key])
    return isHeld
  })
  if (!isKept) {
    await deleteReserved(ctx, key)
    throw leaseLost()
  }
  return { repo_id: row.repo_id, sha256: row.sha256, n, key, size: range.length }
}

/** The parts one after the other. */
export const joined = (ctx: Ctx, parts: readonly TransferPart[], signal: AbortSignal): ByteSource =>
  ofSlabs(async function* () {
    for (const { key } of parts) yield* inSlabs(await ctx.blobs.read(key, undefined, signal))
  })

/** A source that yields slabs, which pass to a disk and to a hash as they are. */
export function ofSlabs(run: () => AsyncGenerator<Slab>): ByteSource {
  const slabs = Object.assign(derived([], run), { giveBack: returnSlab })
  return Object.assign(slabs, { inSlabs: () => slabs })
}
