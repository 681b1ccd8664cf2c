import type { Ctx } from '../../core/ctx.ts'
import { listFaults, type BlobFault } from '../../core/lfs/index.ts'
import type { Scrub } from '../../core/scrub.ts'
import { StoreError, type BlobStore } from '../../stores/storage/index.ts'
import { copyBlob, Damaged } from './copy-blob.ts'
import { linesOf } from './copy-share.ts'
import type { Line } from './documents.ts'
import type { Found } from './find.ts'
import { layout, shareOf } from './layout.ts'

const PAGE = 100

/** What became of damaged bytes. */
export interface Healing {
  key: string
  isHealed: boolean
  message: string
}

/** Puts the bytes of a backup in the place of those that were found damaged. Kinds that heal by the next upload are left out. */
export async function* healFrom(
  ctx: Ctx,
  place: BlobStore,
  { found, scrubs }: { found: Required<Found>; scrubs: readonly Scrub[] },
): AsyncGenerator<Healing> {
  for (let after = ''; ;) {
    const faults = await listFaults(ctx.db, after, PAGE)
    for (const fault of faults) yield await heal(ctx, place, { fault, id: found.id, scrubs })
    const last = faults.at(-1)
    if (!last) return
    after = last.key
  }
}

async function heal(
  ctx: Ctx,
  place: BlobStore,
  { fault, id, scrubs }: { fault: BlobFault; id: string; scrubs: readonly Scrub[] },
): Promise<Healing> {
  const { key, kind } = fault
  const scrub = scrubs.find((each) => each.kind === kind)
  if (!scrub?.heal) return { key, isHealed: false, message: 'the next upload of it heals this' }
  try {
    const isHealed = await scrub.heal(ctx, fault.subject, (from, to) => bring(ctx, place, { id, from, to }))
    return { key, isHealed, message: isHealed ? 'healed' : 'it has gone or was replaced meanwhile' }
  } catch (error) {
    if (error instanceof NotInBackup || error instanceof Damaged)
      return { key, isHealed: false, message: error.message }
    throw error
  }
}

class NotInBackup extends Error {}

async function bring(
  { blobs, signal }: Ctx,
  place: BlobStore,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<void> {
  const line = await lineOf(place, id, from)
  if (line?.sha256 === undefined) throw new NotInBackup(`the backup ${id} does not have ${from}`)
  try {
    const way = { from: place, fromKey: layout.blob(from), to: blobs, toKey: to }
    await copyBlob(way, { sizeBytes: line.size, sha256: line.sha256 }, signal)
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'missing')
      throw new NotInBackup(`the backup ${id} has lost the bytes of ${from}`)
    throw error
  }
}

async function lineOf(place: BlobStore, id: string, key: string): Promise<Line | undefined> {
  for await (const line of linesOf(place, layout.copied(id, shareOf(key)))) if (line.key === key) return line
  return undefined
}
