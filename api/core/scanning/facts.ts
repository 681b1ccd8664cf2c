import type { FileProblem } from '../parsers/index.ts'

/** Raise it when verdicts of the same bytes change: stored results of an older version are made again. */
export const SCANNER_VERSION = 3

/** How safe the name is that a pickle imports. */
export type Safety = 'innocuous' | 'suspicious' | 'dangerous'

/** A name that a pickle imports when it is loaded. */
export interface FoundImport {
  module: string
  name: string
  safety: Safety
  /** What the scanner says, where a rule of an admin says otherwise. */
  found?: Safety
  /** What the import can do, in words; absent where nothing is known. */
  meaning?: string
}

/** The verdict on a file. `failed` is made by the caller, of a `FileFailure`. */
export type ScanStatus = 'safe' | 'suspicious' | 'unsafe'

/** What a file can do to a program that loads it. */
export interface FileScanFacts {
  status: ScanStatus
  /** `arsenal-scan/<version>`. */
  scanner: string
  /** Whether the file is of a kind that is looked into. */
  isChecked: boolean
  /** Each once, the worst first, at most 1000. */
  imports: FoundImport[]
  problems: FileProblem[]
  /** Bytes that were read. */
  readBytes: number
}
