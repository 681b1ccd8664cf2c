import { channel } from 'node:diagnostics_channel'
import type { CounterName, LabelsOf } from './metrics.ts'

/** One rise of a counter. */
export interface Counted {
  name: CounterName
  labels: Record<string, string>
  by: number
}

const counted = channel('arsenal.counted')

/**
 * Counts what happened in this process. Nothing is kept where no metrics are exported. A channel of Node, so that places
 * that know no `Deps`, such as the check of outgoing addresses, count as well.
 */
export function count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by = 1): void {
  if (counted.hasSubscribers) counted.publish({ name, labels, by } satisfies Counted)
}

/** Calls `take` with each rise from now on; answers the function that ends it. */
export function onCount(take: (rise: Counted) => void): () => void {
  const listener = (message: unknown) => take(message as Counted)
  counted.subscribe(listener)
  return () => counted.unsubscribe(listener)
}
