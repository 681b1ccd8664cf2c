import { policyOf, requireAccount } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { readPage, type Page } from '../../../stores/db/index.ts'
import type { FeedEntry } from './entry.ts'
import { findFeed } from './queries.ts'

/** Where a page begins: id of the entry before it, and its time in ms. */
export interface FeedPosition {
  at: number
  id: string
}

const dayMs = 86_400_000
/** A feed goes back so many days. */
export const feedDays = 90
/** Looked at one after the other, until there are enough entries: those who follow much read little of it. */
const spans = [1, 8, 30, feedDays + 1]

const dayBeginning = (ms: number) => Math.floor(ms / dayMs) * dayMs

/**
 * What others did lately: people and organisations that the caller follows, and anybody where the caller takes part, which is
 * in repos that they own, write to or watch, in those of their organisations, and in discussions they wrote in. As far as they
 * may see it now, newest first.
 */
export async function listFeed(
  ctx: Ctx,
  { after, limit }: { after?: FeedPosition | undefined; limit: number },
): Promise<Page<FeedEntry, FeedPosition>> {
  const viewer = requireAccount(ctx.actor, 'read')
  const policy = policyOf(ctx.config)
  const now = ctx.now().getTime()
  const from = Math.min(after?.at ?? now, now)
  const oldest = dayBeginning(now) - feedDays * dayMs
  // Ids follow the times of entries but for moments, so the day that follows is looked at as well.
  const before = after && { id: after.id, until: new Date(dayBeginning(after.at) + 2 * dayMs) }
  const read = async (count: number) => {
    let found: FeedEntry[] = []
    for (const span of spans) {
      const since = Math.max(oldest, dayBeginning(from) - (span - 1) * dayMs)
      found = await findFeed(ctx.db, { viewer, policy, since: new Date(since), before, count })
      if (found.length === count || since === oldest) break
    }
    return found
  }
  return readPage(limit, read, ({ id, at }) => ({ id, at: at.getTime() }))
}
