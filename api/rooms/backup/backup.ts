import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../core/ctx.ts'
import { extendHold, placeHold, releaseHold } from '../../core/lfs/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { Schema } from '../../stores/db/index.ts'
import type { BlobStore } from '../../stores/storage/index.ts'
import { digestOf } from './copy-blob.ts'
import { copyShare, type Share } from './copy-share.ts'
import { writeDocument, type Complete, type Snapshot } from './documents.ts'
import { dropBackup, listBackups } from './find.ts'
import { FORMAT, layout, shares } from './layout.ts'
import { Steps, type OnProgress } from './progress.ts'
import { takeSnapshot } from './take-snapshot.ts'

const EXTEND_EVERY_MS = 5 * 60_000

export interface BackupOptions {
  /** Every table of the product. */
  schema: Schema
  /** Adds to the backups of the place, and copies only bytes that they lack. */
  isIncremental: boolean
  report: OnProgress
}

/**
 * Copies the database as it is now and all bytes that it names to `place`, beside a server that works on. Continues one that
 * was interrupted, as long as its hold on deletions has not expired. Problem `state-conflict` for a place that has a backup
 * already, unless this is to be an incremental one.
 */
export async function backup(
  ctx: Ctx,
  place: BlobStore,
  { schema, isIncremental, report }: BackupOptions,
): Promise<Complete> {
  const before = await listBackups(place)
  const previous = before.findLast(({ complete }) => complete)
  if (previous && !isIncremental)
    throw new Problem('state-conflict', {
      detail: `The place holds the backup ${previous.id} already. Add --incremental to add to it, or choose an empty place.`,
    })
  const snapshot = (await resumed(ctx, place, before)) ?? (await begun(ctx, place, { schema, report }))
  const { id } = snapshot
  const failed = new AbortController()
  const extending = setInterval(() => {
    void stillHeld(ctx, id)
      .then((isHeld) => isHeld || failed.abort(new Error('the hold on deletions has expired')))
      .catch((err: unknown) => ctx.log.warn({ err }, 'the hold on deletions could not be extended'))
  }, EXTEND_EVERY_MS)
  try {
    const signal = AbortSignal.any([ctx.signal, failed.signal])
    const complete = await copyAll(ctx, place, { snapshot, previous: previous?.id, signal, report })
    await ctx.db.write((tx) => releaseHold(tx, id))
    return complete
  } finally {
    clearInterval(extending)
  }
}

const stillHeld = (ctx: Ctx, id: string) => ctx.db.write((tx) => extendHold(tx, ctx, id))

/** The newest interrupted backup whose bytes are all still there. The others can only be dropped. */
async function resumed(
  ctx: Ctx,
  place: BlobStore,
  before: Awaited<ReturnType<typeof listBackups>>,
): Promise<Snapshot | undefined> {
  let found: Snapshot | undefined
  for (const { id, snapshot, complete } of before.toReversed()) {
    if (complete) continue
    if (!found && snapshot && (await stillHeld(ctx, id))) found = snapshot
    else await dropBackup(place, id)
  }
  return found
}

async function begun(
  ctx: Ctx,
  place: BlobStore,
  options: { schema: Schema; report: OnProgress },
): Promise<Snapshot> {
  const time = ctx.now().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  const id = `${time}-${randomBytes(3).toString('hex')}`
  await ctx.db.write((tx) => placeHold(tx, ctx, { id, reason: `backup ${id}` }))
  try {
    return await takeSnapshot(ctx, place, { id, ...options })
  } catch (error) {
    // Without a snapshot there is nothing to continue.
    await ctx.db.write((tx) => releaseHold(tx, id))
    throw error
  }
}

async function copyAll(
  ctx: Ctx,
  place: BlobStore,
  {
    snapshot,
    previous,
    signal,
    report,
  }: { snapshot: Snapshot; previous: string | undefined; signal: AbortSignal; report: OnProgress },
): Promise<Complete> {
  const { id } = snapshot
  const steps = new Steps('blobs', snapshot.blobs, report)
  const done: Share[] = []
  for (const share of shares)
    done.push(await copyShare({ from: ctx.blobs, place, id, previous, share, signal, steps }))
  const sum = (of: (share: Share) => number) => done.reduce((total, share) => total + of(share), 0)
  const written = await digestOf(place, layout.snapshot(id))
  const complete: Complete = {
    format: FORMAT,
    id,
    finished_at: ctx.now().toISOString(),
    snapshot: { sha256: written.hex, size: written.sizeBytes },
    copied: Object.fromEntries(done.map(({ share, file }) => [share, file])),
    blobs: sum((share) => share.blobs),
    bytes: sum((share) => share.bytes),
    new_blobs: sum((share) => share.newBlobs),
    new_bytes: sum((share) => share.newBytes),
    damaged: done.flatMap((share) => share.damaged),
  }
  await writeDocument(place, layout.complete(id), complete)
  return complete
}
