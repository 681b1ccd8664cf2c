import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { returnSlab, SLAB_BYTES, type Slab } from '../../../platform/direct-io/index.ts'
import { derived, inSlabs, type ByteSource } from '../../../stores/storage/index.ts'
import type { PartRow, UploadRow } from '../queries.ts'
import { joiningLeaseMs, renewJoining } from '../transitions.ts'

/**
 * The parts of an upload one after the other, each opened when the one before has ended. Reading renews the completion's
 * lease, and stops when another completion has taken it.
 */
export function joinedParts(ctx: Ctx, upload: UploadRow, parts: PartRow[]): ByteSource {
  const bytes = Object.assign(
    derived([], () => slabsOf(ctx, upload, parts)),
    { giveBack: returnSlab },
  )
  // Of other parts the last slab is not full, and what follows would not lie where a disk can take it.
  const isSlabs = upload.part_size % SLAB_BYTES === 0
  return isSlabs ? Object.assign(bytes, { inSlabs: () => bytes }) : bytes
}

async function* slabsOf(ctx: Ctx, upload: UploadRow, parts: PartRow[]): AsyncGenerator<Slab> {
  let renewedAt = ctx.now().getTime()
  for (const { key } of parts) {
    for await (const slab of inSlabs(await ctx.blobs.read(key))) {
      yield slab
      const now = ctx.now().getTime()
      if (now - renewedAt < joiningLeaseMs(ctx) / 4) continue
      const held = await ctx.db.write((tx) => renewJoining(tx, ctx, upload))
      if (!held) throw new Problem('temporarily-unavailable', { retryAfterS: 2 })
      renewedAt = now
    }
  }
}
