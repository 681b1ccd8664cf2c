import { sql } from 'drizzle-orm'
import { workChannel, type Db, type Tx } from '../../stores/db/index.ts'

const listeners = () => new Set<() => void>()

/** Calls `listener` whenever this process enqueues, cancels or finishes a job; returns what ends that. */
export function onWake(db: Db, listener: () => void): () => void {
  const all = db.keep(listeners).add(listener)
  return () => all.delete(listener)
}

/** Says that the queue may have something new. */
export function wake(db: Db): void {
  for (const listener of db.keep(listeners)) listener()
}

/**
 * As `wake`, for the workers of all processes, once `tx` has committed. Nothing depends on it but how soon a job begins,
 * since every worker looks at the queue by itself.
 */
export async function wakeAll({ q, afterCommit }: Tx, db: Db): Promise<void> {
  afterCommit(() => wake(db))
  if (db.engine === 'postgres')
    await q.select({ notified: sql`pg_notify(${workChannel}, '')` }).from(sql`(select 1) as one`)
}
