import type { PullRequestPushes } from '../content/index.ts'
import { addCommitEvent } from './insert.ts'
import { setDiscussion } from './queries.ts'
import { authoriseAuthor, refuseDisabled, requireOpen, requirePullRequest } from './require.ts'

/**
 * Pushes to `refs/pr/N`: by its author or a writer, while it is open. The thread tells of the head that a push leaves,
 * not of each commit that came with it.
 */
export const pullRequestPushes: PullRequestPushes = {
  async requirePushable(ctx, repo, num) {
    const { id, authorId } = await openIn(ctx.db)
    authoriseAuthor(ctx, repo, authorId, 'repo.commit')
    return async (tx, head) => {
      await openIn(tx)
      await addCommitEvent(tx, ctx, id, head)
      await setDiscussion(tx, id, { updated_at: ctx.now() })
    }

    async function openIn(reader: Parameters<typeof requirePullRequest>[0]) {
      const found = await requirePullRequest(reader, refuseDisabled(repo), num)
      requireOpen(found)
      return found
    }
  },
}
