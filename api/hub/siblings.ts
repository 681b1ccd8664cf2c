import { LRUCache } from 'lru-cache'
import { describeEntries, openRevision, type Revision } from '../content/index.ts'
import type { Ctx } from '../ctx.ts'

/** A file as answers about Repos list it; what lies behind `size` comes with `blobs` alone. */
export interface Sibling {
  rfilename: string
  size?: number
  blobId?: string
  /** `sha256` here, where trees say `oid`; old downloads rely on it (hub-wire.md §5.1). */
  lfs?: { sha256: string; size: number; pointerSize: number }
}

// Some 20 MB of names.
const maxNames = 200_000
type Kept = LRUCache<string, Sibling[]>
// Per engine, so that nothing is shared between the servers of one test process.
const kept = new WeakMap<Ctx['git'], Kept>()

function keptBy(git: Ctx['git']): Kept {
  const known = kept.get(git)
  if (known) return known
  const made: Kept = new LRUCache({ maxSize: maxNames, sizeCalculation: (names) => names.length + 1 })
  kept.set(git, made)
  return made
}

async function entriesOf({ snapshot, commit }: Revision) {
  const root = await snapshot.entryAt(commit, '')
  const files = []
  if (root)
    for await (const entry of snapshot.walk(root.oid))
      if (entry.kind === 'file' || entry.kind === 'symlink') files.push(entry)
  return files
}

/** Every file at a commit. Remembered by the commit, which never changes: a list asks for those of many Repos. */
export async function namesAt(ctx: Ctx, repoId: string, commit: string): Promise<Sibling[]> {
  const names = keptBy(ctx.git)
  const key = `${repoId} ${commit}`
  const known = names.get(key)
  if (known) return known
  const files = await entriesOf(await openRevision(ctx, repoId, commit))
  const found = files.map(({ path }) => ({ rfilename: path }))
  names.set(key, found)
  return found
}

/** Every file at a commit with its sizes and ids. */
export async function blobsAt(ctx: Ctx, repoId: string, commit: string): Promise<Sibling[]> {
  const revision = await openRevision(ctx, repoId, commit)
  const described = await describeEntries(revision.snapshot, await entriesOf(revision))
  return described.map(({ path, oid, sizeBytes, lfs }) => ({
    rfilename: path,
    size: sizeBytes,
    blobId: oid,
    ...(lfs ? { lfs: { sha256: lfs.sha256, size: lfs.sizeBytes, pointerSize: lfs.pointerBytes } } : {}),
  }))
}
