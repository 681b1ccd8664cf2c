/** Two commits, 40-hex: `head` is to be merged into `base`. */
export interface MergeSides {
  base: string
  head: string
}

/** How two commits would merge. */
export interface Mergeability {
  /** Where they parted; absent when they have no history in common. */
  mergeBase?: string
  isClean: boolean
  /** Files that both have changed in ways that do not go together, the first 1000. */
  conflicts: string[]
}
