import { createHash } from 'node:crypto'
import type { StoreErrorKind } from '../store-error.ts'

/** What a store may be asked to do; `chunk` is one piece of a stream being read or written. */
export type IoOperation =
  | 'put'
  | 'read'
  | 'stat'
  | 'delete'
  | 'list'
  | 'copy'
  | 'createMultipart'
  | 'putPart'
  | 'listParts'
  | 'completeMultipart'
  | 'abortMultipart'
  | 'freeSpace'
  | 'check'
  | 'chunk'

/** One step of a store. `n` counts from 1 over everything the store was asked since it was opened. */
export interface Io {
  n: number
  operation: IoOperation
  key: string
}

/**
 * `before` the step nothing was done, `after` it everything was, yet the caller hears an error. `short` ends a read
 * early without an error, `flip` turns one bit of a chunk, `stall` hangs until the caller's signal aborts or
 * `release()`, `lag` leaves the object added last through this store out of a list. A fault that makes no sense for
 * a step, such as `flip` for `stat`, does nothing. `pause` is no failure: the step waits for `until()`, before or after
 * the store has done it.
 */
export type Fault =
  | { type: 'before' | 'after'; kind: StoreErrorKind }
  | { type: 'short' | 'flip' | 'stall' | 'lag' }
  | { type: 'pause'; when: 'before' | 'after'; until(): Promise<void> }

/** Decides which steps go wrong, and how. */
export type FaultPlan = (io: Io) => Fault | undefined

/** One fault at the n-th step; runs over n = 1, 2, … until all is well try every single failure. */
export function failAt(n: number, fault: Fault): FaultPlan {
  return (io) => (io.n === n ? fault : undefined)
}

/** Each step fails with `probability`, by one of `faults`; the same seed gives the same faults. */
export function failSeeded(seed: number, probability: number, faults: readonly Fault[]): FaultPlan {
  return ({ n }) => {
    const dice = createHash('sha256').update(`${seed}:${n}`).digest()
    const isHit = dice.readUInt32BE(0) / 2 ** 32 < probability
    return isHit ? faults[dice.readUInt32BE(4) % faults.length] : undefined
  }
}
