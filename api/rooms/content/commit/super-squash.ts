import type { Ctx } from '../../../core/ctx.ts'
import { commit, CommitBuilder, compactWhenDue } from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { auditRepo, authorOf, requireRepo, type RepoAddress } from '../../repos/index.ts'
import { messageOf } from './target.ts'
import { moverOf, requireRewritable } from './ref-moves.ts'

/**
 * Replaces the history of a branch by one commit without parents that holds the same files (git-storage.md §6.3). What
 * becomes unreachable is pruned by `gc` later. Answers the commit, 40-hex. An empty message gets a default one.
 * Problems: `revision-not-found` where there is no such branch; `forbidden` for the default branch to callers who may not
 * force-push it; `branch-protected`; `commit-conflict` when the branch moves meanwhile; `validation-failed` on `title` or `body`.
 */
export async function superSquash(
  ctx: Ctx,
  address: RepoAddress,
  branch: string,
  message = '',
): Promise<string> {
  const repo = await requireRepo(ctx, address, 'repo.commit')
  const snapshot = await ctx.git.openFresh(repo.id)
  const ref = `refs/heads/${branch}`
  const head = snapshot.findRef(ref)?.commit
  const squashed = head === undefined ? undefined : await snapshot.findCommit(head)
  if (!squashed) throw new Problem('revision-not-found', { detail: `Invalid rev id: ${branch}` })
  await requireRewritable(ctx, repo, snapshot, branch)
  const [title = '', ...body] = (message.trim() || `Squash the history of ${branch}`).split('\n')
  const builder = new CommitBuilder(ctx.git, repo.id)
  try {
    const result = await commit(ctx.git, builder, {
      ref,
      base: null,
      tree: squashed.tree,
      expectedHead: squashed.sha,
      allowEmpty: true,
      author: await authorOf(ctx),
      message: messageOf({ title, body: body.join('\n') }),
      ...moverOf(ctx, 'api'),
      alongside: async (tx, made) => {
        await auditRepo(tx, ctx, 'repo.squash', repo, {
          before: { ref, commit: squashed.sha },
          after: { ref, commit: made.sha },
        })
        await compactWhenDue(tx, ctx, repo.id)
      },
    })
    if ('faults' in result)
      throw new Error(`a tree without edits is refused: ${JSON.stringify(result.faults)}`)
    return result.sha
  } finally {
    await builder.dispose()
  }
}
