import type { Deps } from '../../core/ctx.ts'

/** What a check found, and what to do about it. */
export interface Finding {
  status: 'ok' | 'warn' | 'fail'
  text: string
  /** What the operator does; for everything that is not `ok`. */
  fix?: string
}

/** One thing that must be so for the server to work well. */
export interface HealthCheck {
  name: string
  /** A check that throws has failed with the error's message. */
  run(deps: Deps, signal: AbortSignal): Promise<Finding | Finding[]>
}

export interface CheckedFinding extends Finding {
  check: string
}
