import type { z } from '../../../core/http/contract.ts'
import { viewActivity } from '../view.ts'
import type { FeedEntry } from './entry.ts'
import type * as routes from './routes.ts'

export function viewFeedEntry(entry: FeedEntry): z.input<typeof routes.FeedEntry> {
  const { author, commits, description, thread } = entry
  return {
    ...viewActivity(entry),
    commits,
    ...thread,
    ...(author !== null && { author }),
    ...(description !== null && { description }),
  }
}
