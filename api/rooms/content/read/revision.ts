import type { Ctx } from '../../../core/ctx.ts'
import {
  validateBranchOrTag,
  validatePath,
  type BlobFacts,
  type PathEntry,
  type Snapshot,
} from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'

/** A commit of a repo, open for reading. */
export interface Revision {
  snapshot: Snapshot
  /** 40-hex. */
  commit: string
  /** Full name of the ref that was asked for; absent when it was a commit id. */
  ref?: string
}

/** What the packs say of an entry. */
export interface EntryFacts {
  /** Real size: of an LFS file its object's, of a folder 0. */
  sizeBytes: number
  lfs?: { sha256: string; sizeBytes: number; pointerBytes: number }
}

/** An entry with what a listing says of it. */
export type DescribedEntry = PathEntry & EntryFacts

/** The commit a revision names. Without SQL or I/O while nothing was written here. Problem `revision-not-found`. */
export async function openRevision(ctx: Ctx, repoId: string, revision = ''): Promise<Revision> {
  let snapshot = await ctx.git.open(repoId, ctx)
  let resolved = await snapshot.resolve(revision)
  const isHere = resolved !== undefined
  if (await ctx.pullThrough?.revision(ctx.actor, repoId, { name: revision, isHere })) {
    snapshot = await ctx.git.openFresh(repoId)
    resolved = await snapshot.resolve(revision)
  }
  if (!resolved)
    throw new Problem('revision-not-found', {
      detail: `Invalid rev id: ${revision === '' ? 'HEAD' : revision}`,
    })
  return { snapshot, ...resolved }
}

/** The id that clients know a commit by: of a mirror whose upstream has no git, the upstream's. */
export const clientCommit = ({ snapshot, commit }: Revision): string =>
  snapshot.upstreamCommit(commit) ?? commit

/** The entry at `path`, the root for the empty one. Problem `entry-not-found`, also for what git itself could not hold. */
export async function requireEntry(revision: Revision, path: string): Promise<PathEntry> {
  const { snapshot, commit } = revision
  const isPossible = path === '' || validatePath(path) === undefined
  const entry = isPossible ? await snapshot.entryAt(commit, path) : undefined
  if (!entry) throw entryNotFound(path, clientCommit(revision))
  return { path, ...entry }
}

/** `commit` goes with the answer: hub clients remember per commit that a file is absent. */
export function entryNotFound(path: string, commit: string): Problem {
  return new Problem('entry-not-found', {
    detail: `There is no "${path}" at this revision.`,
    members: { commit },
  })
}

/** Adds sizes and pointers, which lie in the packs. */
export async function describeEntries(snapshot: Snapshot, entries: PathEntry[]): Promise<DescribedEntry[]> {
  const blobs = entries.filter(({ kind }) => kind === 'file' || kind === 'symlink')
  const facts = await snapshot.describe(blobs.map(({ oid }) => oid))
  const byOid = new Map(blobs.map(({ oid }, i) => [oid, facts[i]]))
  return entries.map((entry) => Object.assign({}, entry, toDescription(byOid.get(entry.oid), entry)))
}

/** As `describeEntries`, of a single file or symlink. */
export async function describeEntry(snapshot: Snapshot, entry: PathEntry): Promise<EntryFacts> {
  const [facts] = await snapshot.describe([entry.oid])
  return toDescription(facts, entry)
}

function toDescription(facts: BlobFacts | undefined, { kind }: PathEntry): EntryFacts {
  if (!facts) return { sizeBytes: 0 }
  // A symlink whose target reads like a pointer is still a symlink.
  if (!facts.pointer || kind !== 'file') return { sizeBytes: facts.sizeBytes }
  const { sha256, sizeBytes } = facts.pointer
  return { sizeBytes, lfs: { sha256, sizeBytes, pointerBytes: facts.sizeBytes } }
}

/** Why a revision could name nothing at all. */
export function revisionFault(revision: string): string | undefined {
  if (revision === '' || revision === 'HEAD' || /^[0-9a-f]{40}$/.test(revision)) return undefined
  const name = revision.replace(/^(refs\/(heads|tags|pr|convert)\/|~)/, '')
  return validateBranchOrTag(name)?.message
}

/** For revisions in addresses: Problem `invalid-revision` when it could name nothing at all. */
export function checkRevision(revision: string): void {
  const fault = revisionFault(revision)
  if (fault !== undefined) throw new Problem('invalid-revision', { detail: `The revision ${fault}.` })
}

/** For paths in addresses: Problem `invalid-path`. The empty path is the root. */
export function checkAddressPath(path: string): void {
  const fault = path === '' ? undefined : validatePath(path)
  if (fault) throw new Problem('invalid-path', { detail: `The path ${fault.message}.` })
}
