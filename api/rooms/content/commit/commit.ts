import type { Ctx } from '../../../core/ctx.ts'
import {
  commit as commitToGit,
  CommitBuilder,
  compactWhenDue,
  relieve,
  type MadeCommit,
  type Snapshot,
  type Via,
} from '../../../core/git/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { linkPointers, type Pointer } from '../../../core/lfs/index.ts'
import { invalidField } from '../../../platform/problems/index.ts'
import {
  authorOf,
  requireRepo,
  requireQuota,
  type Repo,
  type RepoAddress,
  type QuotaCheck,
} from '../../repos/index.ts'
import { requireUnprotected } from '../branch-rules/protection.ts'
import { coverLargeFiles } from './attributes.ts'
import { filesOf, requirePointers } from './pointers.ts'
import { refusal } from './refusal.ts'
import { messageOf, targetOf, type PullRequestRef } from './target.ts'
import type { CommitOperation } from './operations.ts'
import { lfsMissing } from './file-problems.ts'
import { moverOf } from './ref-moves.ts'
import { Staging } from './staging.ts'

/** A commit as a surface received it. */
export interface CommitInput {
  /** Short name of the branch; the default branch when left out. Of a new pull request: its base. */
  branch?: string
  /**
   * The head the caller has seen, in 5 to 40 hex digits; another head is Problem `commit-conflict`. Of a new pull request:
   * the commit it is built on.
   */
  parentCommit?: string
  title: string
  body?: string
  /** Read once, one by one; at most 25 000. */
  operations: AsyncIterable<CommitOperation> | Iterable<CommitOperation>
  via: Via
  /** Longest wait for large files that are being verified, where less than `lfs.verify_wait`; milliseconds. */
  maxWaitMs?: number
}

export interface CommitOutcome {
  repo: Repo
  /** 40-hex. */
  commit: string
  /** Full name. */
  ref: string
  /** `false`: nothing would have changed, and `commit` is the present head. */
  changed: boolean
}

/** What comes about with a commit: the rows of the same transaction. */
export interface Companion {
  alongside(tx: Tx, made: MadeCommit): Promise<void>
}

/** A pull request as the target of a commit: its ref, and its rows. */
export interface PullRequestTarget extends PullRequestRef, Companion {}

/**
 * Makes one commit of the operations on a branch, all of them or none.
 * Problems: `branch-protected`, `revision-not-found`, `commit-conflict` (with `current_commit`), `entry-not-found`, `file-too-large`,
 * `lfs-object-missing`, `quota-exceeded`, `validation-failed` (naming `operations.N.path`), `temporarily-unavailable`.
 */
export async function commit(ctx: Ctx, address: RepoAddress, input: CommitInput): Promise<CommitOutcome> {
  const repo = await requireRepo(ctx, address, 'repo.commit')
  await requireUnprotected(ctx, repo, input.branch ?? repo.defaultBranch, 'commit')
  return commitTo(ctx, repo, input)
}

/**
 * As `commit`, in a repo that the caller was found to be allowed to do this in, also to a pull request: the only way JSON
 * commits come about, on every surface. What would change nothing opens no pull request: `validation-failed`.
 */
export async function commitTo<R extends Pick<Repo, 'id' | 'type'>>(
  ctx: Ctx,
  repo: R,
  input: CommitInput,
  companion?: PullRequestTarget | Companion,
): Promise<Omit<CommitOutcome, 'repo'> & { repo: R }> {
  const message = messageOf(input)
  await relieve(ctx, repo.id)
  const snapshot = await ctx.git.open(repo.id)
  const { place, base } = await targetOf(
    snapshot,
    input,
    companion && 'ref' in companion ? companion : undefined,
  )
  const author = await authorOf(ctx)
  const builder = new CommitBuilder(ctx.git, repo.id)
  try {
    const staging = new Staging(ctx, builder, snapshot, base)
    for await (const operation of input.operations) await staging.take(operation)
    if (staging.count === 0) throw invalidField('operations', 'there must be at least one', 'empty')
    staging.changes.finish()
    const pointers = pointersOf(staging)
    const wanted = { bytes: staging.addedBytes, objects: [...pointers.values()] }
    const checkQuota = await requireQuota(ctx, repo.id, wanted)
    await requirePointers(
      ctx,
      repo.id,
      pointers,
      Math.min(ctx.config.lfs.verify_wait, input.maxWaitMs ?? Infinity),
    )
    const result = await commitToGit(ctx.git, builder, {
      ...place,
      author,
      message,
      ...moverOf(ctx, input.via),
      ...rowsOf(ctx, repo, { builder, staging, pointers, checkQuota, ...(companion && { companion }) }),
    })
    if ('faults' in result) throw refusal(result.faults, staging, base)
    if (result.ref === undefined)
      throw invalidField('operations', 'they would change nothing', 'nothing-changes')
    return { repo, commit: result.sha, ref: result.ref, changed: result.changed }
  } finally {
    await builder.dispose()
  }
}

interface Staged {
  builder: CommitBuilder
  staging: Staging
  pointers: Map<string, Pointer>
  checkQuota: QuotaCheck | undefined
  companion?: Companion
}

/** What goes with the commit: rules for large files, links to their objects, the next compaction. */
function rowsOf(
  ctx: Ctx,
  repo: Pick<Repo, 'id' | 'type'>,
  { builder, staging, pointers, checkQuota, companion }: Staged,
) {
  const given = builder.edits.length
  return {
    adapt: async (snapshot: Snapshot, parent: string | undefined) => {
      // An earlier attempt may have added rules for a head that is no longer there.
      builder.edits.length = given
      await coverLargeFiles(builder, staging, [...pointers.keys()], { snapshot, parent })
    },
    alongside: async (tx: Tx, made: MadeCommit) => {
      const gone = await linkPointers(tx, repo.id, [...pointers.values()], ctx.now())
      if (gone.length > 0) throw lfsMissing(filesOf(pointers, gone))
      // A repo that begins with this commit counts from here on.
      await companion?.alongside(tx, made)
      await checkQuota?.(tx)
      await compactWhenDue(tx, ctx, repo.id)
    },
  }
}

/** Path → pointer of every large file the commit leaves in place. */
function pointersOf(staging: Staging): Map<string, Pointer> {
  const pointers = new Map<string, Pointer>()
  for (const [path, { oid }] of staging.changes.puts) {
    const pointer = staging.known(oid)?.pointer
    if (pointer) pointers.set(path, pointer)
  }
  return pointers
}
