import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import {
  compactWhenDue,
  gitIndex,
  judgePaths,
  quotePath,
  RefRefused,
  type Peeled,
  type PushCommand,
  type Snapshot,
} from '../../../core/git/index.ts'
import { enqueue } from '../../../core/jobs/index.ts'
import { linkPointers, type Pointer } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Repo, QuotaCheck } from '../../repos/index.ts'
import { filesOf } from '../commit/pointers.ts'
import { lfsMissing } from '../commit/file-problems.ts'
import { collisionLines } from './messages.ts'
import type { PullRows } from './rules.ts'

/** A push whose refs are about to move. */
export interface PushedRefs {
  repo: Repo
  accepted: PushCommand[]
  /** What the new oids are. */
  peeled: Map<string, Peeled>
  landed: Snapshot
  /** Refs whose history is read by a job. */
  later: string[]
  pointers: Map<string, Pointer>
  rows: Map<string, PullRows>
  checkQuota: QuotaCheck | undefined
  /** Tells the person something that speaks against nothing. */
  warn(lines: string[]): void
}

/** What goes with the refs: links to large files, pull requests, jobs. */
export async function rowsOf(
  ctx: Ctx,
  { repo, accepted, landed, later, peeled, pointers, rows, checkQuota, warn }: PushedRefs,
): Promise<(tx: Tx) => Promise<void>> {
  for (const command of accepted) {
    const collisions = await requirePaths(landed, command, peeled)
    if (collisions.length > 0) warn(collisionLines(collisions))
  }
  const pulls: ((tx: Tx) => Promise<void>)[] = []
  for (const { ref, new: sha } of accepted) {
    const write = rows.get(ref)
    if (!write || sha === undefined) continue
    const subject = (await landed.findCommit(sha))?.subject ?? ''
    pulls.push((tx) =>
      write(tx, { sha, subject }).catch((error: unknown) => {
        throw error instanceof Problem ? new RefRefused(ref, error) : error
      }),
    )
  }
  return async (tx) => {
    const gone = await linkPointers(tx, repo.id, [...pointers.values()], ctx.now())
    if (gone.length > 0) throw lfsMissing(filesOf(pointers, gone))
    await checkQuota?.(tx)
    for (const write of pulls) await write(tx)
    for (const ref of later) {
      const once = { dedupKey: `${repo.id}/${ref}`, repoId: repo.id, createdBy: null }
      await enqueue(tx, ctx, gitIndex, { repo_id: repo.id, ref }, once)
    }
    await compactWhenDue(tx, ctx, repo.id)
  }
}

/**
 * Contents that are here already are passed over where those that come are looked at, whatever their new name. Throws
 * `RefRefused`; answers pairs of names that some file systems take for the same.
 */
async function requirePaths(
  landed: Snapshot,
  { ref, new: to }: PushCommand,
  peeled: Map<string, Peeled>,
): Promise<[string, string][]> {
  const present = landed.findRef(ref) ?? landed.findRef(`refs/heads/${landed.defaultBranch}`)
  const commit = to === undefined ? undefined : peeled.get(to)?.commit
  if (commit === undefined) return []
  const {
    bad: [bad],
    collisions,
  } = await judgePaths(landed, commit, present?.commit)
  if (!bad) return collisions
  const detail = `the path ${quotePath(bad.path)} ${bad.fault.message}`
  throw new RefRefused(ref, new Problem('validation-failed', { detail }))
}
