import type { Counts, RawStatus } from '../verdict.ts'

/** Files that are named beside the counts. */
export const MAX_ISSUES = 1000
const order = { unsafe: 0, suspicious: 1, failed: 2 }

/** A file that is not safe. */
export interface Issue {
  path: string
  content: string
  status: Exclude<RawStatus, 'safe'>
}

/** How the files at a commit were found: counts of all, and the worst 1000 by name. */
export class Tally {
  readonly counts: Counts = { unsafe: 0, suspicious: 0, failed: 0, missing: 0 }
  #issues: Issue[] = []

  /** Counts a file; without a status it could not be looked at. */
  add(path: string, content: string, status: RawStatus | undefined): void {
    if (status === 'safe') return
    if (status === undefined) {
      this.counts.missing++
      return
    }
    this.counts[status]++
    this.#issues.push({ path, content, status })
    if (this.#issues.length >= 2 * MAX_ISSUES) this.#issues = this.issues()
  }

  /** The worst first, then by path. */
  issues(): Issue[] {
    return this.#issues
      .toSorted((a, b) => order[a.status] - order[b.status] || (a.path < b.path ? -1 : 1))
      .slice(0, MAX_ISSUES)
  }
}
