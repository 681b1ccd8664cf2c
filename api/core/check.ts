import type { Deps } from './ctx.ts'

/** Something `fsck` found. `error` means damage; `info` is worth knowing and harmless. */
export interface Finding {
  /** `room.subject`, such as `git.closure` or `lfs.object`. */
  check: string
  severity: 'error' | 'info'
  message: string
  repo_id?: string
  /** Whether `--repair` has fixed it. */
  repaired?: true
}

export interface CheckOptions {
  /** Re-reads and re-hashes every stored byte. */
  deep: boolean
  repair: boolean
  /** Only this repo, where a check is about repos. */
  repoId?: string
  /** Ends a check between two repos. */
  signal?: AbortSignal
  /**
   * Where an earlier run ended, for checks that read every byte: what comes after this id is left. They note an id once all
   * that is wrong with it is said and repaired.
   */
  resume?: { after: string; note(id: string): void }
}

/** One room's part of `arsenal fsck` (reliability.md §12). Runs beside a working server; streams what it finds. */
export interface Check {
  name: string
  run(deps: Deps, options: CheckOptions): AsyncIterable<Finding>
}
