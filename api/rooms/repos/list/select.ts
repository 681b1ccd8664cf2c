import { facetFields, type FacetField } from '../../../core/metadata/index.ts'
import type { Catalogue, Entry } from './catalogue.ts'
import type { RepoFilters } from './filters.ts'
import { firstOf, type Order } from './order.ts'

export interface FacetValue {
  value: string
  count: number
}

/** The facets of a list: what the files say, and whether a repo is a mirror. */
export type Facets = Record<FacetField | 'mirror', FacetValue[]>

/** What a list takes from the catalogue. */
export interface Selection {
  /** The first in the order, as many as were asked for. */
  entries: Entry[]
  /** How many there are. */
  total: number
  facets: Facets
}

// indexing.md §5: the 50 most frequent, and what is chosen.
const most = 50

/**
 * One pass over the catalogue: the first `limit` of those that fit, how many fit, and how many of them have each value of
 * a facet. A facet counts with every filter but its own. `fits` tells of everything but the filters on facets.
 */
export function select(
  catalogue: Catalogue,
  entries: readonly Entry[],
  filters: RepoFilters,
  { fits, order, limit }: { fits: (entry: Entry) => boolean; order: Order; limit: number },
): Selection {
  const chosen = facetFields.filter((field) => filters.facets?.[field])
  const { wanted, own } = bitsOf(catalogue, filters, chosen)
  const all = (1 << chosen.length) - 1
  const counts = new Uint32Array(catalogue.facets.size)
  const first = firstOf(order, limit)
  const { isMirror } = filters
  const mirrors = { true: 0, false: 0 }
  let total = 0
  const { starts, lengths, numbers } = catalogue.facetsAt.parts
  for (let place = 0; place < entries.length; place++) {
    const start = starts[place] ?? 0
    const end = start + (lengths[place] ?? 0)
    let had = 0
    for (let i = start; i < end; i++) had |= wanted[numbers[i] ?? 0] ?? 0
    const missing = all & ~had
    // With two facets against it, no count of any facet includes it.
    if ((missing & (missing - 1)) !== 0) continue
    const entry = entries[place]
    if (!entry || !fits(entry)) continue
    if (missing === 0) mirrors[entry.isMirror ? 'true' : 'false']++
    if (isMirror !== undefined && entry.isMirror !== isMirror) continue
    // What has all chosen facets counts for each; what lacks one counts for that alone.
    for (let i = start; i < end; i++) {
      const number = numbers[i] ?? 0
      if (missing === 0 || own[number] === missing) counts[number] = (counts[number] ?? 0) + 1
    }
    if (missing !== 0) continue
    total++
    first.offer(entry)
  }
  const facets = { ...facetsOf(catalogue, counts, filters), mirror: valuesOf(mirrors) }
  return { entries: first.take(), total, facets }
}

/** A bit for each chosen facet: at the numbers of its chosen values, and at the numbers of all its values. */
function bitsOf({ facets }: Catalogue, filters: RepoFilters, chosen: FacetField[]) {
  const wanted = new Uint8Array(facets.size)
  const own = new Uint8Array(facets.size)
  for (const [i, field] of chosen.entries()) {
    const prefix = `${field}=`
    for (const number of facets.numbersOf((word) => word.startsWith(prefix))) own[number] = 1 << i
    for (const value of filters.facets?.[field] ?? []) {
      const number = facets.numberOf(prefix + value)
      if (number !== undefined) wanted[number] = 1 << i
    }
  }
  return { wanted, own }
}

const valuesOf = (counts: Record<string, number>): FacetValue[] =>
  Object.entries(counts).flatMap(([value, count]) => (count > 0 ? [{ value, count }] : []))

function facetsOf({ facets }: Catalogue, counts: Uint32Array, filters: RepoFilters): Omit<Facets, 'mirror'> {
  const found = Object.fromEntries(facetFields.map((field) => [field, [] as FacetValue[]])) as Omit<
    Facets,
    'mirror'
  >
  for (const [number, count] of counts.entries()) {
    if (count === 0) continue
    const word = facets.wordOf(number) ?? ''
    const end = word.indexOf('=')
    found[word.slice(0, end) as FacetField].push({ value: word.slice(end + 1), count })
  }
  for (const field of facetFields) {
    const isChosen = new Set(filters.facets?.[field])
    found[field] = found[field]
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .filter(({ value }, place) => place < most || isChosen.has(value))
  }
  return found
}
