import type { Db } from '../db/index.ts'

// Per database, so that nothing is shared between the servers of one test process.
const listeners = new WeakMap<Db, Set<() => void>>()

/** Calls `listener` whenever this process enqueues, cancels or finishes a Job; returns what ends that. */
export function onWake(db: Db, listener: () => void): () => void {
  const set = listeners.get(db) ?? new Set()
  listeners.set(db, set.add(listener))
  return () => set.delete(listener)
}

/** Says that the queue may have something new, perhaps only after the caller's transaction has committed. */
export function wake(db: Db): void {
  for (const listener of listeners.get(db) ?? []) listener()
}
