import { and, eq } from 'drizzle-orm'
import { changeMark } from '../../stores/db/index.ts'
import { StaleSnapshot, type RefListener } from '../../core/git/index.ts'

/**
 * Holds a repo while its refs move, and notes when they did. Its default branch must still be the one the move was
 * decided on, since what goes with a move depends on it; throws `StaleSnapshot` otherwise. It comes first, so that all
 * transactions lock the repo before git's row.
 */
export const holdRepo: RefListener = ({ now }, { snapshot: { repoId, defaultBranch }, via }) =>
  Promise.resolve({
    async before({ q, t: { repos } }) {
      const held = await q
        .update(repos)
        // An export is no work of people: lists keep their order.
        .set({ ...(via === 'convert' ? {} : { updated_at: now() }), changed: changeMark(repos.changed) })
        .where(and(eq(repos.id, repoId), eq(repos.default_branch, defaultBranch)))
        .returning({ id: repos.id })
      if (held.length === 0) throw new StaleSnapshot()
    },
  })
