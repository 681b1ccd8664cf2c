import type { RepoType } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { policyOf, visibleRows } from '../../../core/access/index.ts'
import { catalogueOf } from './catalogue.ts'
import { requireReader } from './list.ts'

// Far more than people choose from; cards may say anything.
const most = 5000

/** The tags in use, and which of them name a library or a task. */
export interface TagsInUse {
  /** The most frequent first. */
  tags: string[]
  libraries: Set<string>
  tasks: Set<string>
}

/** Tags of the repos the caller may see. Problems: `unauthenticated` where nothing is public, `insufficient-scope`. */
export async function findTagsInUse(ctx: Ctx, type: RepoType): Promise<TagsInUse> {
  requireReader(ctx)
  const catalogue = catalogueOf(ctx.db)
  const isVisible = await visibleRows(ctx.actor, ctx.db, policyOf(ctx.config))
  const counts = new Map<number, number>()
  const facets = new Set<number>()
  for (const [place, entry] of (await catalogue.entries()).entries()) {
    if (entry.type !== type || !isVisible(entry)) continue
    for (const tag of entry.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
    for (const facet of catalogue.facetsAt.at(place)) facets.add(facet)
  }
  const named = (field: string) =>
    [...facets].flatMap((number) => {
      const word = catalogue.facets.wordOf(number) ?? ''
      return word.startsWith(`${field}=`) ? [word.slice(field.length + 1)] : []
    })
  const tags = [...counts].map(([number, count]) => ({ tag: catalogue.tags.wordOf(number) ?? '', count }))
  tags.sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1))
  return {
    tags: tags.slice(0, most).map(({ tag }) => tag),
    libraries: new Set(named('library')),
    tasks: new Set(named('task')),
  }
}
