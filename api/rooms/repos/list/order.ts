import type { Entry } from './catalogue.ts'

const listSorts = [
  'updated',
  'created',
  'name',
  'size',
  'parameters',
  'likes',
  'downloads',
  'trending',
] as const
export type ListSort = (typeof listSorts)[number]

/** Parameters that are not known; no other value that lists are sorted by is negative. */
const UNKNOWN = -1

/** Where a page begins: the sort value (times in ms) and id of the repo before it. */
export interface RepoPosition {
  value: string | number
  id: string
}

/** How a list is ordered; of equals by their ids. */
export interface Order {
  sort: ListSort
  isAscending: boolean
  after?: RepoPosition | undefined
}

const valueOf = (entry: Entry, sort: ListSort): string | number => (sort === 'name' ? entry.key : entry[sort])

/** The position of an entry in a list, for a page to begin behind it. */
export const positionOf = (entry: Entry, sort: ListSort): RepoPosition => ({
  value: valueOf(entry, sort),
  id: entry.id,
})

/** Keeps the first `limit` of what it is offered: it sorts some at a time and drops the rest. */
export function firstOf({ sort, isAscending, after }: Order, limit: number) {
  const sign = isAscending ? 1 : -1
  // Below all known values, so that it comes last by itself where they descend.
  const placed = (value: string | number) => (isAscending && value === UNKNOWN ? Infinity : value)
  const inOrder = (a: RepoPosition, b: RepoPosition) =>
    sign * compare(placed(a.value), a.id, { value: placed(b.value), id: b.id })
  const isBehind = (entry: Entry, than: RepoPosition) => inOrder(positionOf(entry, sort), than) > 0
  let kept: Entry[] = []
  let last: RepoPosition | undefined
  const prune = () => {
    kept.sort((a, b) => inOrder(positionOf(a, sort), positionOf(b, sort)))
    kept = kept.slice(0, limit)
    const end = kept.at(-1)
    if (end && kept.length === limit) last = positionOf(end, sort)
  }
  return {
    offer(entry: Entry): void {
      if (after && !isBehind(entry, after)) return
      if (last && isBehind(entry, last)) return
      kept.push(entry)
      if (kept.length >= 2 * limit + 100) prune()
    },
    take(): Entry[] {
      prune()
      return kept
    },
  }
}

/** Below 0 where the first comes first. */
function compare(value: string | number, id: string, other: RepoPosition): number {
  if (value !== other.value) return value < other.value ? -1 : 1
  return id === other.id ? 0 : id < other.id ? -1 : 1
}
