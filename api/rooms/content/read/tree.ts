import type { Ctx } from '../../../core/ctx.ts'
import {
  lastCommits,
  validatePath,
  type CommitRecord,
  type PathEntry,
  type Snapshot,
} from '../../../core/git/index.ts'
import { findAbsent, type Absence } from '../../../core/lfs/index.ts'
import { invalidField } from '../../../platform/problems/index.ts'
import { requireRepo, type Repo, type RepoAddress } from '../../repos/index.ts'
import { Turns } from '../../../platform/flow/index.ts'
import { recordOf } from './commit-detail.ts'
import { folderPath } from '../commit/operations.ts'
import {
  describeEntries,
  openRevision,
  requireEntry,
  type DescribedEntry,
  type Revision,
} from './revision.ts'

/** Paths that may be asked about at once. */
const MAX_PATHS = 25_000

/** An entry as lists show it. Folders and files alone: what a submodule points at is not here. */
export interface ListedEntry extends DescribedEntry {
  /** The commit that last changed it; absent when not asked for, or when the history is too long to look up now. */
  lastCommit?: CommitRecord
  /** Of a large file that is not here: a mirror holds what was pulled. */
  absence?: Absence
}

export interface TreeQuery {
  /** The default branch when left out. */
  revision?: string
  /** Folder or file; the root when left out. */
  path?: string
  /** All that lies below, folders before what they hold. */
  isRecursive?: boolean
  withLastCommits: boolean
  /** `next` of the page before. */
  after?: string
  limit: number
}

/** A page of a folder, or the one file the path names. */
export interface TreePage {
  commit: string
  path: string
  kind: 'directory' | 'file'
  /** In git's order: bytes, a folder as if its name ended in `/`. */
  entries: ListedEntry[]
  next?: string
  file?: ListedEntry
}

/** Lists a tree. Problems `revision-not-found`, `entry-not-found`. */
export async function listTree(ctx: Ctx, address: RepoAddress, query: TreeQuery): Promise<TreePage> {
  const { revision, path = '', withLastCommits } = query
  const repo = await requireRepo(ctx, address, 'repo.read')
  const opened = await openRevision(ctx, repo.id, revision)
  const entry = await requireEntry(opened, path)
  const finish = async (entries: PathEntry[]): Promise<ListedEntry[]> => {
    const described = await withAbsences(ctx, repo, await describeEntries(opened.snapshot, entries))
    return withLastCommits ? addLastCommits(ctx, opened, described) : described
  }
  const at = { commit: opened.commit, path }
  if (entry.kind !== 'directory') {
    const [file] = await finish([entry])
    return { ...at, kind: 'file', entries: [], ...(file ? { file } : {}) }
  }
  const { entries, next } = await page(opened.snapshot, entry.oid, query)
  return { ...at, kind: 'directory', entries: await finish(entries), ...(next === undefined ? {} : { next }) }
}

/** What is known of each path; paths that are not there are left out, as hub clients expect. */
export async function describePaths(
  ctx: Ctx,
  address: RepoAddress,
  query: { revision?: string; paths: string[]; withLastCommits: boolean },
): Promise<{ commit: string; entries: ListedEntry[] }> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const opened = await openRevision(ctx, repo.id, query.revision)
  if (query.paths.length > MAX_PATHS) throw invalidField('paths', `at most ${MAX_PATHS} at once`, 'too-many')
  const entries: PathEntry[] = []
  const turns = new Turns(ctx)
  for (const given of new Set(query.paths)) {
    if (turns.isOver) await turns.next()
    const path = folderPath(given)
    const entry = validatePath(path) ? undefined : await opened.snapshot.entryAt(opened.commit, path)
    if (entry && entry.kind !== 'submodule') entries.push({ ...entry, path })
  }
  const described = await describeEntries(opened.snapshot, entries)
  if (!query.withLastCommits) return { commit: opened.commit, entries: described }
  const dated = await addLastCommits(ctx, opened, described)
  if (dated.every(({ lastCommit }) => lastCommit)) return { commit: opened.commit, entries: dated }
  // JavaScript hub clients read `lastCommit.id` of every answer, so the revision's own commit stands in.
  const lastCommit = await recordOf(ctx, opened.snapshot, opened.commit)
  return { commit: opened.commit, entries: dated.map((entry) => ({ lastCommit, ...entry })) }
}

/** Says which large files are not here. Only a mirror, or what was one, has such files. */
async function withAbsences(ctx: Ctx, repo: Repo, entries: DescribedEntry[]): Promise<ListedEntry[]> {
  if (!repo.mirror) return entries
  const sha256s = entries.flatMap(({ lfs }) => (lfs ? [lfs.sha256] : []))
  const absent = await findAbsent(ctx.db, repo.id, sha256s, ctx.now())
  return entries.map((entry) => {
    const absence = entry.lfs && absent.get(entry.lfs.sha256)
    return absence ? { ...entry, absence } : entry
  })
}

async function page(
  snapshot: Snapshot,
  tree: string,
  { path = '', isRecursive = false, after, limit }: TreeQuery,
): Promise<{ entries: PathEntry[]; next?: string }> {
  const from = after === undefined ? {} : { after }
  if (!isRecursive) {
    const { entries, next } = await snapshot.listTree(tree, { ...from, limit })
    const inside = path === '' ? '' : `${path}/`
    const listed = entries.map((entry) => ({ ...entry, path: `${inside}${entry.name}` }))
    return { entries: listed.filter(isListed), ...(next === undefined ? {} : { next }) }
  }
  const entries: PathEntry[] = []
  for await (const entry of snapshot.walk(tree, { prefix: path, ...from })) {
    if (!isListed(entry)) continue
    if (entries.length === limit) return { entries, next: entries.at(-1)?.path ?? '' }
    entries.push(entry)
  }
  return { entries }
}

const isListed = ({ kind }: PathEntry) => kind !== 'submodule'

/** One question per folder: a page of one folder is answered by one query. */
async function addLastCommits(
  ctx: Ctx,
  { snapshot, commit }: Revision,
  entries: ListedEntry[],
): Promise<ListedEntry[]> {
  const byDir = new Map<string, ListedEntry[]>()
  for (const entry of entries) {
    const dir = entry.path.slice(0, Math.max(0, entry.path.lastIndexOf('/')))
    byDir.set(dir, [...(byDir.get(dir) ?? []), entry])
  }
  const found = new Map<string, CommitRecord>()
  for (const [dir, inDir] of byDir) {
    const names = inDir.map(({ name }) => name)
    const commits = await lastCommits(ctx.git, snapshot, { sha: commit, dir, names })
    for (const { name, path } of inDir) {
      const last = commits.get(name)
      if (last) found.set(path, last)
    }
  }
  return entries.map((entry) => {
    const lastCommit = found.get(entry.path)
    return { ...entry, ...(lastCommit ? { lastCommit } : {}) }
  })
}
