import { LRUCache } from 'lru-cache'
import { describeEntry, openRevision, type Revision } from '../../../rooms/content/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { PathEntry, Snapshot } from '../../../core/git/index.ts'

/** A file as answers about repos list it; what lies behind `size` comes with `blobs` alone. */
interface Sibling {
  rfilename: string
  size?: number
  blobId?: string
  /** `sha256` here, where trees say `oid`; old downloads rely on it (hub-wire.md §5.1). */
  lfs?: { sha256: string; size: number; pointerSize: number }
}

/**
 * Files named at most. Clients that find more than 50 000 take the list for incomplete and list the tree instead
 * (huggingface_hub 0.36: _snapshot_download.py, VERY_LARGE_REPO_THRESHOLD), so one more than that is named.
 */
export const MAX_SIBLINGS = 50_001

/** Which files are asked for, and how. */
export interface SiblingsQuery {
  repoId: string
  commit: string
  withBlobs: boolean
}

// In characters.
const maxKept = 16 * 1024 * 1024
const maxKeptEach = 256 * 1024
const shortLists = () =>
  new LRUCache<string, string>({ maxSize: maxKept, sizeCalculation: (text) => text.length })

/**
 * The files at a commit as JSON, in pieces: an array of up to `MAX_SIBLINGS`. Nothing but the piece is held, however many
 * read at once. Short lists of names are remembered by the commit, which never changes: a list asks for those of many repos.
 */
export async function* siblingsJson(ctx: Ctx, query: SiblingsQuery): AsyncGenerator<string> {
  const texts = ctx.db.keep(shortLists)
  const key = `${query.repoId} ${query.commit}`
  const known = query.withBlobs ? undefined : texts.get(key)
  if (known !== undefined) return yield known
  let text: string | undefined = query.withBlobs ? undefined : '['
  let isFirst = true
  yield '['
  for await (const sibling of siblingsOf(await openRevision(ctx, query.repoId, query.commit), query)) {
    const piece = `${isFirst ? '' : ','}${JSON.stringify(sibling)}`
    isFirst = false
    if (text !== undefined) text = text.length + piece.length < maxKeptEach ? text + piece : undefined
    yield piece
  }
  yield ']'
  if (text !== undefined) texts.set(key, `${text}]`)
}

/** Reads a list ahead, so that it is at hand if it is short. */
export async function keepNames(ctx: Ctx, where: { repoId: string; commit: string }): Promise<void> {
  const pieces = siblingsJson(ctx, { ...where, withBlobs: false })
  while (!(await pieces.next()).done);
}

async function* siblingsOf(
  { snapshot, commit }: Revision,
  { withBlobs }: SiblingsQuery,
): AsyncGenerator<Sibling> {
  const root = await snapshot.entryAt(commit, '')
  if (!root) return
  let count = 0
  for await (const entry of snapshot.walk(root.oid)) {
    if (entry.kind !== 'file' && entry.kind !== 'symlink') continue
    if (++count > MAX_SIBLINGS) return
    yield withBlobs ? await withFacts(snapshot, entry) : { rfilename: entry.path }
  }
}

async function withFacts(snapshot: Snapshot, entry: PathEntry): Promise<Sibling> {
  const { sizeBytes, lfs } = await describeEntry(snapshot, entry)
  return {
    rfilename: entry.path,
    size: sizeBytes,
    blobId: entry.oid,
    ...(lfs ? { lfs: { sha256: lfs.sha256, size: lfs.sizeBytes, pointerSize: lfs.pointerBytes } } : {}),
  }
}
