import { useState } from 'react'
import { formatCompact } from '../../lib/format.ts'
import type { FacetName } from './list-state.ts'

/** A value of a facet, with how many repos have it besides all other filters. */
export interface FacetValue {
  value: string
  count: number
  /** Characters of the longest count that has been shown. */
  width: number
}

type Count = Pick<FacetValue, 'value' | 'count'>
type Counts = Partial<Record<FacetName, Count[]>>
type Steady = Partial<Record<FacetName, FacetValue[]>>

/**
 * The facets of the newest answer, in the places of the one before: a filter changes counts and moves no button. A value
 * that has lost its repos keeps its place, with 0. An answer without a filter sets all places.
 */
export function useSteadyFacets(found: Counts | undefined, isFiltered: boolean): Steady {
  const [steady, setSteady] = useState<{ found?: Counts; values: Steady }>({ values: {} })
  if (found === undefined || steady.found === found) return steady.values
  const values = Object.fromEntries(
    Object.entries(found).map(([name, counts]) => {
      const before = steady.values[name as FacetName]
      return [name, isFiltered ? merged(before, counts) : counts.map(widthKept(before))]
    }),
  )
  setSteady({ found, values })
  return values
}

/** The same buttons with other counts, and new ones behind them. */
function merged(before: FacetValue[] = [], counts: Count[]): FacetValue[] {
  const known = new Set(before.map(({ value }) => value))
  const countOf = new Map(counts.map(({ value, count }) => [value, count]))
  const kept = before.map(({ value }) => ({ value, count: countOf.get(value) ?? 0 }))
  return [...kept, ...counts.filter(({ value }) => !known.has(value))].map(widthKept(before))
}

const widthKept =
  (before: FacetValue[] = []) =>
  ({ value, count }: Count): FacetValue => {
    const width = before.find((known) => known.value === value)?.width ?? 0
    return { value, count, width: Math.max(width, formatCompact(count).length) }
  }

/** Facets show so many values that have a repo, and those that stood among them before. */
const shown = 12

/** The values to show: the first ones, and more of those that have a repo where the first have none now. */
export function shownValues(values: FacetValue[]): FacetValue[] {
  let filled = 0
  return values.filter(({ count }, i) => {
    if (count > 0) filled++
    return i < shown || (count > 0 && filled <= shown)
  })
}
