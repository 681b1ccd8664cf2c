import { createContext, useContext, type ReactNode } from 'react'
import type { DiffSide } from '../../../shared/vocabulary.ts'

/** How the diffs of a page are laid out. */
export type DiffLayout = 'unified' | 'split'

export const DiffLook = createContext<DiffLayout>('unified')
export const useDiffLayout = () => useContext(DiffLook)

/** Lines of one side of a hunk, in the order in which they were chosen. */
export interface ChosenLines {
  side: DiffSide
  anchor: number
  line: number
}

/** What a review adds to the lines of a file's diff. */
export interface LineReview {
  /** Chooses lines and, once they are all there, begins a comment; absent where the viewer may not. */
  onChoose?: (lines: ChosenLines, isAll: boolean) => void
  chosen: ChosenLines | undefined
  /** The lines that are commented on. */
  places: { side: DiffSide; line: number }[]
  /** What stands below a line. */
  below: (side: DiffSide, line: number) => ReactNode
}

export const Review = createContext<LineReview | undefined>(undefined)
export const useReviewOfLines = () => useContext(Review)

const key = 'diff-layout'

/** The layout that the person chose last in this browser. */
export function savedLayout(): DiffLayout {
  try {
    return localStorage.getItem(key) === 'split' ? 'split' : 'unified'
  } catch {
    return 'unified'
  }
}

export function saveLayout(layout: DiffLayout): void {
  try {
    localStorage.setItem(key, layout)
  } catch {
    // The layout holds until the page is left.
  }
}
