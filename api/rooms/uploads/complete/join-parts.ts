import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import {
  derived,
  inSlabs,
  returnSlab,
  SLAB_BYTES,
  type ByteSource,
  type Slab,
} from '../../../stores/storage/index.ts'
import { isHeldBy, setUpload, type PartRow, type UploadRow } from '../queries.ts'

/**
 * How long a completion may show no progress before another may take over, in milliseconds: twice as long as a Job, which
 * renews its lease while it waits, and this one only where it gets on.
 */
export const completionLeaseMs = ({ config }: Pick<Ctx, 'config'>): number => 2 * config.jobs.lease

/**
 * The parts of an Upload one after the other, each opened when the one before has ended. Reading renews the completion's
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
      if (now - renewedAt < completionLeaseMs(ctx) / 4) continue
      await renewLease(ctx, upload, now)
      renewedAt = now
    }
  }
}

async function renewLease(ctx: Ctx, { id, attempt }: UploadRow, now: number): Promise<void> {
  const lease_until = new Date(now + completionLeaseMs(ctx))
  const held = await ctx.db.write((tx) => setUpload(tx, id, isHeldBy(tx, attempt), { lease_until }))
  if (!held) throw new Problem('temporarily-unavailable', { retryAfterS: 2 })
}
