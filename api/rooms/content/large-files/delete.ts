import { z } from 'zod'
import { actorId } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { holdRefs, pointersInHistory, type Snapshot } from '../../../core/git/index.ts'
import { enqueue, untilEnded } from '../../../core/jobs/index.ts'
import { findLinked, forgetObjects } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { auditRepo, requireRepo, requireRepoToChange, type RepoAddress } from '../../repos/index.ts'
import { PointerWalk } from './pointer-walk.ts'
import { shortName } from '../refs/refs.ts'
import { headsOf } from './list.ts'
import { rewriteKey, rewriteTicket } from './rewrite-ticket.ts'

const MAX_ATTEMPTS = 3

/** What the result of a rewrite says of the job that drops the old commits. */
const Rewritten = z.object({ purged_by: z.string().optional() })

/**
 * Problem `state-conflict` when a commit that some ref leads to needs one of the files. Git looks through the history,
 * for `git.timeout` at most; it is walked here only to where one is found, for its path.
 */
async function refuseNeeded({ git, stopping }: Ctx, snapshot: Snapshot, sha256s: Set<string>): Promise<void> {
  const needed = await pointersInHistory(git, snapshot, stopping)
  if (![...sha256s].some((sha256) => needed.has(sha256))) return
  const walk = new PointerWalk(snapshot)
  for (const head of headsOf(snapshot))
    for await (const { pointer, path } of walk.from(head.commit, { history: true }))
      if (sha256s.has(pointer.sha256))
        throw new Problem('state-conflict', {
          detail:
            `"${path}" in the history of ${shortName(head)} is ${pointer.sha256}. ` +
            'Ask for the history to be rewritten as well (rewrite_history), or delete the file and squash the history ' +
            'of every branch that had it first.',
        })
}

/**
 * Removes large files from a repo: it serves them no longer, and `gc` deletes bytes that no other repo keeps. With
 * `rewriteHistory` a job takes them out of every commit that has them, a second one drops the old commits, and both are
 * waited for. Without it a file that a commit of a ref needs is refused, since that commit could not be checked out any
 * more. What the repo does not keep is passed over.
 * Problems `repo-not-found`, `forbidden`, `state-conflict`, `temporarily-unavailable`.
 */
export async function deleteLfsFiles(
  ctx: Ctx,
  address: RepoAddress,
  sha256s: string[],
  { rewriteHistory = false }: { rewriteHistory?: boolean } = {},
): Promise<void> {
  const { id } = await requireRepo(ctx, address, 'repo.delete')
  // What the repo has no link to is in none of its commits.
  const isKept = (await findLinked(ctx.db, id, sha256s)).size > 0
  return rewriteHistory && isKept ? rewrite(ctx, address, sha256s) : withdraw(ctx, address, sha256s)
}

async function rewrite(ctx: Ctx, address: RepoAddress, sha256s: string[]): Promise<void> {
  const { id } = await ctx.db.write(async (tx) => {
    const repo = await requireRepoToChange(tx, ctx, address, 'repo.delete')
    const input = { repo_id: repo.id, sha256s: [...new Set(sha256s)].toSorted(), user_id: actorId(ctx.actor) }
    // A client whose proxy cut the first request off asks again, and then waits for the same job.
    const job = await enqueue(tx, ctx, rewriteTicket, input, { dedupKey: rewriteKey(input), repoId: repo.id })
    const change = { before: { sha256s: input.sha256s }, after: { rewritten_by: job.id } }
    await auditRepo(tx, ctx, 'repo.lfs.delete', repo, change)
    return job
  })
  const { result } = await untilEnded(ctx, id)
  const { purged_by } = Rewritten.parse(result)
  if (purged_by !== undefined) await untilEnded(ctx, purged_by)
}

async function withdraw(ctx: Ctx, address: RepoAddress, sha256s: string[]): Promise<void> {
  const { id } = await requireRepo(ctx, address, 'repo.delete')
  for (let attempt = 1; ; attempt++) {
    const snapshot = await ctx.git.openFresh(id, ctx)
    await refuseNeeded(ctx, snapshot, new Set(sha256s))
    const isDone = await ctx.db.write(async (tx) => {
      const repo = await requireRepoToChange(tx, ctx, address, 'repo.delete')
      if (repo.id !== id || !(await holdRefs(tx, snapshot))) return false
      const gone = await forgetObjects(tx, id, sha256s)
      if (gone.length > 0) await auditRepo(tx, ctx, 'repo.lfs.delete', repo, { before: { sha256s: gone } })
      return true
    })
    if (isDone) return
    if (attempt === MAX_ATTEMPTS)
      throw new Problem('temporarily-unavailable', { detail: 'Its refs are moving.', retryAfterS: 5 })
  }
}
