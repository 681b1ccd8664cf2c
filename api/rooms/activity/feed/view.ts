import type { z } from '../../../core/http/contract.ts'
import { slugOf } from '../../collections/index.ts'
import { viewDeed } from '../view.ts'
import type { FeedEntry } from './entry.ts'
import type * as routes from './routes.ts'

export function viewFeedEntry(entry: FeedEntry): z.input<typeof routes.FeedEntry> {
  const { author, repo, collection, commits, description, thread } = entry
  return {
    ...viewDeed(entry),
    ...(repo && { repo }),
    ...(collection && {
      collection: { ns: collection.ns, slug: slugOf(collection), title: collection.title },
    }),
    commits,
    ...thread,
    ...(author !== null && { author }),
    ...(description !== null && { description }),
  }
}
