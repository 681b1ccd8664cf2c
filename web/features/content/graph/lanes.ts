/** A commit as the graph needs it. */
export interface GraphCommit {
  sha: string
  /** The parents that lines lead to: those that are listed, or would be on a further page. */
  parents: string[]
}

/** What is drawn beside one row, in lanes from the left. */
export interface GraphRow {
  /** The lane of the commit. */
  lane: number
  /** Lanes that pass by. */
  passing: number[]
  /** Lanes that end at the commit from above, and those that lead from it to its parents. */
  from: number[]
  to: number[]
  /** Lanes that go on below. */
  below: number[]
}

/** More lanes than this are drawn over each other. */
export const MAX_LANES = 6

/**
 * Lays commits out in lanes, each before its parents: a lane is kept for the parent it leads to, and commits with the same
 * parent meet at it. Takes time in proportion to commits and lanes.
 */
export function layOut(commits: readonly GraphCommit[]): GraphRow[] {
  /** Which commit each lane leads to; `undefined` for a free lane. */
  const leads: (string | undefined)[] = []
  const free = () => {
    const at = leads.indexOf(undefined)
    return at < 0 ? leads.length : at
  }
  return commits.map(({ sha, parents }) => {
    const from = lanesOf(leads, (each) => each === sha)
    const passing = lanesOf(leads, (each) => each !== undefined && each !== sha)
    const lane = from[0] ?? free()
    for (const each of from) leads[each] = undefined
    // The first parent goes on in the commit's own lane, so that lines are straight until they meet.
    const to = parents.map((parent, i) => {
      const known = leads.indexOf(parent)
      if (i > 0 && known >= 0) return known
      const at = i === 0 ? lane : free()
      leads[at] = parent
      return at
    })
    return { lane, passing, from, to, below: lanesOf(leads, (each) => each !== undefined) }
  })
}

const lanesOf = (leads: (string | undefined)[], fits: (sha: string | undefined) => boolean): number[] =>
  [...leads.keys()].filter((at) => fits(leads[at]))
