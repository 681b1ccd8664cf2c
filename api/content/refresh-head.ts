import type { RepoType } from '../../shared/vocabulary.ts'
import type { Ctx } from '../ctx.ts'
import { factsOfHead } from './head-facts.ts'
import { setHeadFacts } from './queries.ts'

/** Counts the default branch's head anew: after another branch has become the default, or as a repair. */
export async function refreshHead(ctx: Ctx, repo: { id: string; type: RepoType }): Promise<void> {
  const snapshot = await ctx.git.openFresh(repo.id)
  const head = await snapshot.resolve()
  if (!head) return
  const facts = await factsOfHead(repo.type, snapshot, head.commit)
  await ctx.db.write((tx) => setHeadFacts(tx, repo.id, facts))
}
