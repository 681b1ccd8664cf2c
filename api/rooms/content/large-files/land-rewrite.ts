import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import {
  accountsOf,
  compactWhenDue,
  gitIndex,
  gitPurge,
  holdRefs,
  landPush,
  noteAccounts,
  StaleSnapshot,
  type RewrittenHistory,
  type Snapshot,
} from '../../../core/git/index.ts'
import { enqueue, type RunningJob } from '../../../core/jobs/index.ts'
import { forgetObjects } from '../../../core/lfs/index.ts'
import { auditRepo, requireRepoToChange, type Repo } from '../../repos/index.ts'
import type { RewriteInput } from './rewrite-ticket.ts'

/** A rewrite under way. */
export interface Place {
  repo: Repo
  input: RewriteInput
  write: RunningJob['write']
}

/** Moves every ref of a rewritten history in one transaction, with all that goes with them. Throws `RefRefused`, `StaleSnapshot`. */
export async function landRewrite(
  ctx: Ctx,
  snapshot: Snapshot,
  { commits, moves, pack }: RewrittenHistory,
  place: Place,
): Promise<Record<string, unknown>> {
  const { repo, input, write } = place
  const main = moves.find(({ name }) => name === `refs/heads/${snapshot.defaultBranch}`)
  const by = input.user_id === null ? {} : { userId: input.user_id }
  let files = 0
  let purge: string | undefined
  await landPush(ctx.git, snapshot, {
    moves,
    via: 'api',
    ...by,
    rewritten: commits,
    pack,
    source: 'insert',
    write,
    prepare: async (_, later) => {
      const accounts = await accountsOf(ctx.db, repo.id, commits)
      return async (tx) => {
        files = await withdraw(tx, ctx, place, { moves: moves.length, snapshot, head: main })
        await noteAccounts(tx, repo.id, accounts)
        for (const ref of later) {
          const once = { dedupKey: `${repo.id}/${ref}`, repoId: repo.id, createdBy: null }
          await enqueue(tx, ctx, gitIndex, { repo_id: repo.id, ref }, once)
        }
        await compactWhenDue(tx, ctx, repo.id)
        // Else the old commits could be fetched by their ids for another `gc.grace_period`.
        const once = { dedupKey: repo.id, repoId: repo.id, createdBy: null }
        ;({ id: purge } = await enqueue(tx, ctx, gitPurge, { repo_id: repo.id }, once))
      }
    },
  })
  return { commits: commits.size, refs: moves.length, large_files: files, purged_by: purge }
}

/** Withdraws files that no commit has any more. Throws `StaleSnapshot`. */
export async function withdrawUnneeded(
  ctx: Ctx,
  snapshot: Snapshot,
  place: Place,
): Promise<Record<string, unknown>> {
  const files = await place.write((tx) => withdraw(tx, ctx, place, { moves: 0, snapshot }))
  return { commits: 0, refs: 0, large_files: files }
}

interface Seen {
  snapshot: Snapshot
  /** Refs that this transaction has moved. */
  moves: number
  head?: { from?: string; to?: string } | undefined
}

/** A ref that came meanwhile may lead to the old commits, so every one must be where it was seen. Answers how many files went. */
async function withdraw(
  tx: Tx,
  ctx: Ctx,
  { repo: { id, type, ns, name }, input }: Place,
  { snapshot, moves, head }: Seen,
): Promise<number> {
  const repo = await requireRepoToChange(tx, ctx, { type, ns, name }, 'repo.delete')
  if (repo.id !== id || !(await holdRefs(tx, snapshot, moves))) throw new StaleSnapshot()
  const gone = await forgetObjects(tx, id, input.sha256s)
  if (moves > 0)
    await auditRepo(tx, ctx, 'repo.history.rewrite', repo, {
      before: { commit: head?.from ?? null },
      after: { commit: head?.to ?? null, refs: moves },
    })
  return gone.length
}
