import { and, eq, inArray, max } from 'drizzle-orm'
import { newId, type Tx } from '../db/index.ts'
import { splitMessage, type Commit } from './objects.ts'
import type { Oid } from './oid.ts'
import type { Reader } from './repo-state.ts'
import type { TreeChange } from './tree-diff.ts'

/** A commit to be entered into the history index with what it changed against its first parent. */
export interface IndexedCommit {
  repoId: string
  oid: Oid
  commit: Commit
  changes: Pick<TreeChange, 'dir' | 'name' | 'kind'>[]
  /** Full name of the ref it is made on. */
  ref: string
  userId?: string
}

/** Rows per statement: SQLite takes 32 766 parameters. */
const BATCH = 1000

/**
 * Enters a commit. It joins its first parent's chain when that chain belongs to the ref and the parent is its tip;
 * otherwise it opens a chain that remembers where it left its parent's. A commit whose parent is not entered stays out:
 * the index is rebuildable, readers fall back.
 */
export async function indexCommit(tx: Tx, entry: IndexedCommit): Promise<void> {
  const place = await placeOf(tx, entry)
  if (!place) return
  const { q, t } = tx
  const { commit, oid, repoId } = entry
  const { subject, body } = splitMessage(commit.message)
  await q
    .insert(t.git_commits)
    .values({
      repo_id: repoId,
      oid,
      ...place,
      parents: Buffer.concat(commit.parents),
      tree: commit.tree,
      author_name: commit.author.name,
      author_email: commit.author.email,
      author_time: commit.author.at,
      author_tz: commit.author.tzMinutes,
      committer_name: commit.committer.name,
      committer_email: commit.committer.email,
      committer_time: commit.committer.at,
      committer_tz: commit.committer.tzMinutes,
      subject: subject.replaceAll('\0', ''),
      body: body.replaceAll('\0', ''),
      user_id: entry.userId ?? null,
    })
    // The same bytes committed twice (say, an orphaned head made again) are one commit.
    .onConflictDoNothing()
  await addChanges(tx, entry, place)
}

/** A commit's position in the history index. */
export interface Place {
  chain: number
  pos: number
}

async function placeOf(tx: Tx, { repoId, commit, ref, oid }: IndexedCommit): Promise<Place | undefined> {
  const { q, t } = tx
  if (await findPlace(tx, repoId, oid)) return undefined
  const first = commit.parents[0]
  const parent = first && (await findPlace(tx, repoId, first))
  if (first && !parent) return undefined
  if (parent) {
    const isTip = and(
      eq(t.git_chains.repo_id, repoId),
      eq(t.git_chains.id, parent.chain),
      eq(t.git_chains.owner_ref, ref),
      eq(t.git_chains.tip_pos, parent.pos),
    )
    const pos = parent.pos + 1
    const joined = await q
      .update(t.git_chains)
      .set({ tip_pos: pos })
      .where(isTip)
      .returning({ id: t.git_chains.id })
    if (joined.length > 0) return { chain: parent.chain, pos }
  }
  const [last] = await q
    .select({ id: max(t.git_chains.id) })
    .from(t.git_chains)
    .where(eq(t.git_chains.repo_id, repoId))
  const chain = (last?.id ?? 0) + 1
  await q.insert(t.git_chains).values({
    repo_id: repoId,
    id: chain,
    owner_ref: ref,
    parent_chain: parent?.chain ?? null,
    parent_pos: parent?.pos ?? null,
    tip_pos: 0,
  })
  return { chain, pos: 0 }
}

/** Where a commit lies in the index, if it is entered. */
export async function findPlace(
  { q, t: { git_commits } }: Reader,
  repoId: string,
  oid: Oid,
): Promise<Place | undefined> {
  const [row] = await q
    .select({ chain: git_commits.chain, pos: git_commits.pos })
    .from(git_commits)
    .where(and(eq(git_commits.repo_id, repoId), eq(git_commits.oid, oid)))
  return row
}

async function addChanges(tx: Tx, { repoId, oid, changes }: IndexedCommit, place: Place): Promise<void> {
  const dirs = await dirIds(tx, repoId, [...new Set(changes.map(({ dir }) => dir))])
  for (let at = 0; at < changes.length; at += BATCH) {
    const rows = changes.slice(at, at + BATCH).map(({ dir, name, kind }) => {
      const dir_id = dirs.get(dir)
      if (dir_id === undefined) throw new Error('a folder of the history index has no id')
      return { repo_id: repoId, dir_id, name, ...place, commit_oid: oid, kind }
    })
    // An entry that turns from file to folder is deleted and added by one commit; the last commit is the same.
    await tx.q.insert(tx.t.git_changes).values(rows).onConflictDoNothing()
  }
}

async function dirIds(
  { q, t: { git_dirs } }: Tx,
  repoId: string,
  paths: string[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (let at = 0; at < paths.length; at += BATCH) {
    const batch = paths.slice(at, at + BATCH)
    const find = () =>
      q
        .select({ id: git_dirs.id, path: git_dirs.path })
        .from(git_dirs)
        .where(and(eq(git_dirs.repo_id, repoId), inArray(git_dirs.path, batch)))
    for (const { id, path } of await find()) ids.set(path, id)
    const absent = batch.filter((path) => !ids.has(path))
    if (absent.length === 0) continue
    const made = absent.map((path) => ({ id: newId(), repo_id: repoId, path }))
    await q.insert(git_dirs).values(made).onConflictDoNothing()
    for (const { id, path } of await find()) ids.set(path, id)
  }
  return ids
}
