import type { FileBytes } from '../parsers/index.ts'
import type { Findings } from './findings.ts'
import type { Budget } from './inflate/inflated-bytes.ts'

/** What the scan of a file shares with those of its members. */
export interface Context {
  findings: Findings
  budget: Budget
  /** How many archives and pickles are around it. */
  depth: number
  /** Looks into a member or a nested file; `findings` only where they may be dropped. */
  scanInside(path: string, file: FileBytes, findings?: Findings): void
}

/** Archives and pickles inside of each other are followed this far. */
export const MAX_DEPTH = 3
