import { StoreError, type BlobStore } from '../../stores/storage/index.ts'
import { Damaged, digestOf, requireSound, type Expected } from './copy-blob.ts'
import { linesOf } from './copy-share.ts'
import { eachOf } from './each.ts'
import type { Found } from './find.ts'
import { layout, shares } from './layout.ts'
import { Steps, type OnProgress } from './progress.ts'

const AT_ONCE = 4

/** Something of a backup that is not as it was written. */
export interface BackupFault {
  /** Key in the place. */
  key: string
  message: string
}

/** Reads what a backup says of itself and its rows, and compares that with what was written. */
export async function* verifyFiles(
  place: BlobStore,
  { id, snapshot, complete }: Required<Found>,
  signal: AbortSignal,
): AsyncGenerator<BackupFault> {
  const files = new Map([[layout.snapshot(id), complete.snapshot]])
  for (const { name, file } of snapshot.tables) files.set(layout.table(id, name), file)
  for (const [share, file] of Object.entries(complete.copied)) files.set(layout.copied(id, share), file)
  for (const [key, { size, sha256 }] of files) {
    const fault = await faultOf(place, key, { sizeBytes: size, sha256 }, signal)
    if (fault) yield fault
  }
}

/** Reads every byte of a backup and compares it with its lists. */
export async function* verifyBackup(
  place: BlobStore,
  found: Required<Found>,
  { report, signal }: { report: OnProgress; signal: AbortSignal },
): AsyncGenerator<BackupFault> {
  const { id, complete } = found
  const broken = new Set<string>()
  for await (const fault of verifyFiles(place, found, signal)) {
    broken.add(fault.key)
    yield fault
  }
  const steps = new Steps('verify', complete.blobs, report)
  for (const share of shares) {
    // What a damaged list says means nothing.
    if (broken.has(layout.copied(id, share))) continue
    const faults: BackupFault[] = []
    await eachOf(linesOf(place, layout.copied(id, share)), AT_ONCE, async ({ key, size, sha256 }) => {
      signal.throwIfAborted()
      // Listed as damaged when the backup was made.
      if (sha256 === undefined) return
      const fault = await faultOf(place, layout.blob(key), { sizeBytes: size, sha256 }, signal)
      if (fault) faults.push(fault)
      steps.add(size ?? 0)
    })
    yield* faults
  }
}

async function faultOf(
  place: BlobStore,
  key: string,
  expected: Expected,
  signal: AbortSignal,
): Promise<BackupFault | undefined> {
  try {
    requireSound(await digestOf(place, key, signal), expected)
    return undefined
  } catch (error) {
    if (error instanceof Damaged) return { key, message: error.message }
    if (error instanceof StoreError && error.kind === 'missing') return { key, message: 'the bytes are gone' }
    throw error
  }
}
