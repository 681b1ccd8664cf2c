import { Problem } from '../../platform/problems/index.ts'
import { StoreError } from '../../stores/storage/index.ts'

/** Why a run's signal was aborted. */
export class Interruption extends Error {
  readonly why: 'cancelled' | 'lease-lost' | 'stopping'

  constructor(why: Interruption['why']) {
    super(`the job was interrupted: ${why}`)
    this.name = 'Interruption'
    this.why = why
  }
}

/** Whether the same run may succeed later: stores and networks recover, a refusal stays one. */
export function mayPass(error: unknown): boolean {
  if (error instanceof Problem) return error.status >= 500 || error.status === 429
  if (error instanceof StoreError) return error.kind === 'transient' || error.kind === 'full'
  return true
}

/** What people are shown of a failure; what is not a Problem stays in the log. */
export function problemOf(error: unknown): { code: string; message: string } {
  const problem = error instanceof Problem ? error : new Problem('internal')
  return { code: problem.code, message: problem.detail ?? problem.title }
}

const firstWaitMs = 5_000
const longestWaitMs = 3_600_000

/** Milliseconds until the next attempt: 5 s, doubling to an hour, or what the failure itself asks for. */
export function waitMs(error: unknown, attempt: number): number {
  const doubled = Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs)
  const asked = error instanceof Problem ? (error.retryAfterS ?? 0) * 1000 : 0
  return Math.max(doubled, asked)
}
