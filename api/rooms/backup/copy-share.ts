import { StoreError, type BlobStore } from '../../stores/storage/index.ts'
import { copyBlob, Damaged, digestOf } from './copy-blob.ts'
import { Line } from './documents.ts'
import { eachOf } from './each.ts'
import { layout } from './layout.ts'
import { putLines, readLines } from './lines.ts'
import type { Steps } from './progress.ts'

/** Copies at the same time: enough to hide the way to a bucket, few beside the readers of a busy server. */
const AT_ONCE = 4

/** What one of the lists of a backup came to. */
export interface Share {
  share: string
  /** Of the list that was written. */
  file: { sha256: string; size: number }
  blobs: number
  bytes: number
  newBlobs: number
  newBytes: number
  damaged: { key: string; message: string }[]
}

export interface ShareOptions {
  from: BlobStore
  place: BlobStore
  id: string
  /** The backup before, whose bytes need not be read again. */
  previous: string | undefined
  share: string
  signal: AbortSignal
  steps: Steps
}

/** Copied objects of a list, by key. A line of a damaged one says so in `message`. */
type Copied = Line & { message?: string; isNew?: boolean }

/** The lines of a list. */
export async function* linesOf(place: BlobStore, key: string): AsyncGenerator<Line> {
  for await (const line of readLines(place, key)) yield Line.parse(JSON.parse(line))
}

async function knownFrom(
  place: BlobStore,
  id: string | undefined,
  share: string,
): Promise<Map<string, Line>> {
  const known = new Map<string, Line>()
  if (id !== undefined)
    for await (const line of linesOf(place, layout.copied(id, share))) known.set(line.key, line)
  return known
}

/** Copies what one list wants and writes down what was copied. A list that is there already was worked off before. */
export async function copyShare(options: ShareOptions): Promise<Share> {
  const { place, id, share } = options
  const key = layout.copied(id, share)
  const isDone = (await place.stat(key)) !== undefined
  const copied = isDone ? await readBack(place, key) : await work(options)
  const sound = copied.filter(({ message }) => message === undefined)
  const sizes = (lines: Copied[]) => lines.reduce((sum, { size = 0 }) => sum + size, 0)
  const lines = copied.map((line) => JSON.stringify(line))
  if (isDone) options.steps.add(sizes(sound), sound.length)
  const digest = isDone ? await digestOf(place, key) : await putLines(place, key, lines)
  const fresh = sound.filter(({ isNew }) => isNew)
  return {
    share,
    file: { sha256: digest.hex, size: digest.sizeBytes },
    blobs: sound.length,
    bytes: sizes(sound),
    newBlobs: fresh.length,
    newBytes: sizes(fresh),
    damaged: copied.flatMap(({ key: one, message }) =>
      message === undefined ? [] : [{ key: one, message }],
    ),
  }
}

async function readBack(place: BlobStore, key: string): Promise<Copied[]> {
  const copied: Copied[] = []
  for await (const line of readLines(place, key)) copied.push(JSON.parse(line) as Copied)
  return copied
}

async function work({ from, place, id, previous, share, signal, steps }: ShareOptions): Promise<Copied[]> {
  const known = await knownFrom(place, previous, share)
  const copied: Copied[] = []
  await eachOf(linesOf(place, layout.wanted(id, share)), AT_ONCE, async (line) => {
    signal.throwIfAborted()
    const one = await copyOne({ from, place, signal }, line, known.get(line.key))
    if (one) copied.push(one)
    steps.add(one?.size ?? 0)
  })
  return copied
}

async function copyOne(
  { from, place, signal }: Pick<ShareOptions, 'from' | 'place' | 'signal'>,
  { key, size, sha256, optional }: Line,
  known: Line | undefined,
): Promise<Copied | undefined> {
  const toKey = layout.blob(key)
  // Keys are never used twice, so what an earlier backup copied is what this one wants.
  if (known?.sha256 !== undefined && (await place.stat(toKey))?.sizeBytes === known.size)
    return { ...known, isNew: false }
  try {
    const way = { from, fromKey: key, to: place, toKey }
    const { hex, sizeBytes, isNew } = await copyBlob(way, { sizeBytes: size, sha256 }, signal)
    return { key, size: sizeBytes, sha256: hex, isNew }
  } catch (error) {
    if (optional && error instanceof StoreError && error.kind === 'missing') return undefined
    if (error instanceof Damaged) return { key, message: error.message }
    if (error instanceof StoreError && error.kind === 'missing') return { key, message: 'the bytes are gone' }
    throw error
  }
}
