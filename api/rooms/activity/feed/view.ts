import type { z } from '../../../core/http/contract.ts'
import { viewActivity } from '../view.ts'
import type { FeedEntry } from './queries.ts'
import type * as routes from './routes.ts'

export function viewFeedEntry(entry: FeedEntry): z.input<typeof routes.FeedEntry> {
  const { author, commits, description } = entry
  return {
    ...viewActivity(entry),
    commits,
    ...(author !== null && { author }),
    ...(description !== null && { description }),
  }
}
