import { and, eq, inArray, max } from 'drizzle-orm'
import { newId, type Tx } from '../../../stores/db/index.ts'
import { splitMessage, type Commit } from '../objects/objects.ts'
import type { Oid } from '../objects/oid.ts'
import { MAX_PARENTS_TOLD } from './commit-records.ts'
import type { Reader } from '../repo-state.ts'
import { Turns } from '../../../platform/flow/index.ts'
import type { IndexedChange } from './shallowest-changes.ts'

/** A commit with what it changed against its first parent. */
export interface ChangingCommit {
  oid: Oid
  commit: Commit
  changes: IndexedChange[]
}

/** Whose history commits are entered into. */
export interface IndexedRef {
  repoId: string
  /** Full name of the ref they are made on. */
  ref: string
  /** The account that made them here, where one did. */
  userId?: string
}

/** A commit to be entered into the history index. */
export type IndexedCommit = ChangingCommit & IndexedRef

/** Rows per statement: SQLite takes 32 766 parameters. */
const BATCH = 1000

/**
 * Enters a commit. It joins its first parent's chain when that chain belongs to the ref and the parent is its tip;
 * otherwise it opens a chain that remembers where it left its parent's. A commit whose parent is not entered stays out:
 * the index is rebuildable, readers fall back.
 */
export async function indexCommit(tx: Tx, { oid, commit, changes, ...where }: IndexedCommit): Promise<void> {
  await indexCommits(tx, where, [{ oid, commit, changes }])
}

/** As `indexCommit`, of commits that follow each other by first parents, oldest first. */
export async function indexCommits(
  tx: Tx,
  where: IndexedRef,
  commits: readonly ChangingCommit[],
): Promise<void> {
  // Somebody else may have entered the older ones meanwhile, from another ref.
  const known = await lastKnown(tx, where.repoId, commits)
  const added = commits.slice(known + 1)
  const [oldest] = added
  const place = oldest && (await placeOf(tx, { ...where, ...oldest }, added.length))
  if (!place) return
  const placed = added.map((each, i) => ({ ...each, place: { chain: place.chain, pos: place.pos + i } }))
  for (let at = 0; at < placed.length; at += BATCH) {
    const rows = placed.slice(at, at + BATCH).map((each) => rowOf(where, each))
    await tx.q.insert(tx.t.git_commits).values(rows).onConflictDoNothing()
  }
  await addChanges(tx, where.repoId, placed)
}

type PlacedCommit = ChangingCommit & { place: Place }

/** Position of the last commit that is entered, -1 for none: one that is is entered with all before it. */
async function lastKnown(tx: Tx, repoId: string, commits: readonly ChangingCommit[]): Promise<number> {
  let known = -1
  for (let unknown = commits.length, at = 0; unknown - known > 1; at = (known + unknown) >>> 1) {
    const commit = commits[at]
    if (commit && (await findPlace(tx, repoId, commit.oid))) known = at
    else unknown = at
  }
  return known
}

function rowOf({ repoId, userId }: IndexedRef, { oid, commit, place }: PlacedCommit) {
  const { subject, body } = splitMessage(commit.message)
  return {
    repo_id: repoId,
    oid,
    ...place,
    parents: Buffer.concat(commit.parents.slice(0, MAX_PARENTS_TOLD)),
    tree: commit.tree,
    author_name: textual(commit.author.name),
    author_email: textual(commit.author.email),
    author_time: commit.author.at,
    author_tz: commit.author.tzMinutes,
    committer_name: textual(commit.committer.name),
    committer_email: textual(commit.committer.email),
    committer_time: commit.committer.at,
    committer_tz: commit.committer.tzMinutes,
    subject: textual(subject),
    body: textual(body),
    user_id: userId ?? null,
  }
}

/** Postgres holds no NUL. */
const textual = (text: string) => text.replaceAll('\0', '')

/** A commit's position in the history index. */
export interface Place {
  chain: number
  pos: number
}

/** Where the first of `count` commits goes; its chain then ends at the last of them. */
async function placeOf(
  tx: Tx,
  { repoId, commit, ref }: IndexedCommit,
  count: number,
): Promise<Place | undefined> {
  const { q, t } = tx
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
      .set({ tip_pos: parent.pos + count })
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
    tip_pos: count - 1,
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

async function addChanges(tx: Tx, repoId: string, commits: PlacedCommit[]): Promise<void> {
  // On SQLite statements are synchronous, so a long list of them would block every other request.
  const turns = new Turns()
  const dirs = await dirIds(tx, repoId, commits, turns)
  for (const batch of batchesOf(rowsOf(repoId, commits, dirs))) {
    if (turns.isOver) await turns.next()
    // An entry that turns from file to folder is deleted and added by one commit; the last commit is the same.
    await tx.q.insert(tx.t.git_changes).values(batch).onConflictDoNothing()
  }
}

function* rowsOf(repoId: string, commits: PlacedCommit[], dirs: Map<string, string>) {
  for (const { oid, place, changes } of commits)
    for (const { dir, name, kind } of changes) {
      const dir_id = dirs.get(dir)
      if (dir_id === undefined) throw new Error('a folder of the history index has no id')
      yield { repo_id: repoId, dir_id, name, ...place, commit_oid: oid, kind }
    }
}

function* batchesOf<T>(all: Iterable<T>): Generator<T[]> {
  let batch: T[] = []
  for (const each of all) {
    if (batch.push(each) < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function dirIds(
  { q, t: { git_dirs } }: Tx,
  repoId: string,
  commits: PlacedCommit[],
  turns: Turns,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const paths = new Set<string>()
  for (const { changes } of commits) for (const { dir } of changes) paths.add(dir)
  for (const batch of batchesOf(paths)) {
    if (turns.isOver) await turns.next()
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
