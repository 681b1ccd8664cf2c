import { and, eq } from 'drizzle-orm'
import { Problem } from '../../platform/problems/index.ts'
import { Turns } from '../../platform/flow/index.ts'
import type { CommitBuilder } from './commit-builder.ts'
import type { CommitRequest, CommitResult } from './commit-request.ts'
import type { Git } from './git.ts'
import type { ListChanges } from './history/shallowest-changes.ts'
import { land } from './land.ts'
import { NewTrees } from './objects/new-trees.ts'
import { parseCommit, serializeCommit, type Commit } from './objects/objects.ts'
import { EMPTY_TREE, oidFromHex, type Oid } from './objects/oid.ts'
import { refMoved, StaleSnapshot } from './refs/move-ref.ts'
import type { Snapshot } from './snapshot.ts'
import { diffTrees } from './objects/tree-diff.ts'
import { MODE } from './objects/tree.ts'
import { editTree } from './objects/tree-edit.ts'
import { isLostRace, withFresh } from './with-fresh.ts'

const RETRY_WINDOW_MS = 5 * 60_000

/**
 * Makes a commit of the builder's edits: bytes durable first, then pack, ref, history and the caller's rows in one
 * transaction. A lost race is repeated on the new head, unless the caller named the head it has seen.
 */
export async function commit(
  git: Git,
  builder: CommitBuilder,
  request: CommitRequest,
): Promise<CommitResult> {
  const turn = typeof request.ref === 'string' ? request.ref : 'a new one'
  return git.refTurns.run(`${builder.repoId}:${turn}`, async () => {
    const mark = builder.writer.mark()
    const change = async (snapshot: Snapshot) => {
      await builder.writer.rewind(mark)
      return tryCommit(git, builder, request, snapshot)
    }
    return withFresh(git, builder.repoId, change, (error) => isLost(error, request))
  })
}

function isLost(error: unknown, { expectedHead }: CommitRequest): boolean {
  if (error instanceof StaleSnapshot) return true
  if (expectedHead !== undefined) return false
  return isLostRace(error) || (error instanceof Problem && error.code === 'already-exists')
}

async function tryCommit(
  git: Git,
  builder: CommitBuilder,
  request: CommitRequest,
  snapshot: Snapshot,
): Promise<CommitResult> {
  const { message, author, committer = author } = request
  const known = typeof request.ref === 'string' ? { ref: request.ref } : {}
  const head = known.ref === undefined ? undefined : snapshot.findRef(known.ref)?.commit
  const isStale = request.expectedHead !== undefined && request.expectedHead !== head
  if (isStale && !(await mayBeLostAnswer(git, snapshot, request, head))) throw refMoved(head)
  const parent = isStale ? request.expectedHead : parentOf(request, head)
  await request.adapt?.(snapshot, parent)
  await requireBlobs(snapshot, builder)
  const before = await treeOf(snapshot, parent)
  const trees = new NewTrees(snapshot.reader, builder.writer)
  const edited = await editTree(request.tree ? oidFromHex(request.tree) : before, builder.edits, trees)
  if ('faults' in edited) return edited
  const { tree } = edited
  const parents = [...(parent ? [parent] : []), ...(request.furtherParents ?? [])].map(oidFromHex)
  const made: Commit = { tree, parents, author, committer, message }
  if (isStale) return answerAgain(snapshot, made, known, head)
  const isAtParent = parent !== undefined && (head === parent || known.ref === undefined)
  if (isAtParent && tree.equals(before) && !request.allowEmpty)
    return { sha: parent, ...known, changed: false }
  await requireExtent(git, trees, tree)
  const oid = await builder.writer.add('commit', serializeCommit(made))
  const changes: ListChanges = (options) => diffTrees(trees.load, before, tree, options)
  const ofHead = head === undefined || head === parent ? before : await treeOf(snapshot, head)
  const sinceHead: ListChanges = (options) => diffTrees(trees.load, ofHead, tree, options)
  const blob = (hex: string) => builder.blob(hex)
  const landing = { request, oid, commit: made, changes, sinceHead, blob, ...(head && { head }) }
  const ref = await land(git, snapshot, await builder.writer.finish(), landing)
  trees.publish()
  return { sha: oid.toString('hex'), ref, changed: true }
}

/** A tree that grew commit by commit, or in a merge, ends where a pushed one does. */
async function requireExtent({ extents }: Git, trees: NewTrees, tree: Oid): Promise<void> {
  const fault = await extents.faultOf(trees.load, tree)
  if (!fault) return
  const detail = `The commit ${fault.message}. Pack small files into archives, or split them over several repos.`
  throw new Problem('validation-failed', { detail })
}

/** Entries that are copied were looked up when the edits came, and may have been pruned since. */
async function requireBlobs({ reader }: Snapshot, { edits, writer }: CommitBuilder): Promise<void> {
  const turns = new Turns()
  for (const edit of edits) {
    if (turns.isOver) await turns.next()
    if (edit.kind !== 'put' || edit.mode === MODE.gitlink) continue
    if (writer.has(edit.oid) || (await reader.stat(edit.oid))) continue
    throw new Problem('entry-not-found', { detail: `What is to be copied to ${edit.path} has gone.` })
  }
}

function parentOf({ base }: CommitRequest, head: string | undefined): string | undefined {
  return base === undefined ? head : (base ?? undefined)
}

async function treeOf(snapshot: Snapshot, sha: string | undefined): Promise<Oid> {
  if (sha === undefined) return EMPTY_TREE
  const commit = await snapshot.reader.findCommit(oidFromHex(sha))
  if (!commit) throw new Problem('revision-not-found')
  return commit.tree
}

/** Whether the head may be what this very request made before its answer was lost: same person, same parent, just now. */
async function mayBeLostAnswer(
  { deps: { db, now } }: Git,
  snapshot: Snapshot,
  { expectedHead, userId }: CommitRequest,
  head: string | undefined,
): Promise<boolean> {
  if (head === undefined || userId === undefined) return false
  const { git_commits } = db.t
  const [row] = await db.q
    .select({ userId: git_commits.user_id, at: git_commits.committer_time, parents: git_commits.parents })
    .from(git_commits)
    .where(and(eq(git_commits.repo_id, snapshot.repoId), eq(git_commits.oid, oidFromHex(head))))
  if (row?.userId !== userId || row.parents.toString('hex') !== expectedHead) return false
  return now().getTime() - row.at.getTime() < RETRY_WINDOW_MS
}

async function answerAgain(
  snapshot: Snapshot,
  made: Commit,
  known: { ref?: string },
  head: string | undefined,
): Promise<CommitResult> {
  const present = head === undefined ? undefined : await snapshot.reader.findCommit(oidFromHex(head))
  const { message } = parseCommit(serializeCommit(made))
  if (head === undefined || !present?.tree.equals(made.tree) || present.message !== message)
    throw refMoved(head)
  return { sha: head, ...known, changed: true }
}
