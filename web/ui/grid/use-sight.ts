import { useState } from 'react'
import { createStore } from '../../lib/store.ts'

/** The rows in sight, both included. */
export interface Sight {
  from: number
  to: number
}

/** Which rows are in sight. Only what reads it with `use` is drawn again as they change, many times a second. */
export function useSight(begin: number) {
  const [sight] = useState(() => {
    let now: Sight = { from: begin, to: begin }
    const store = createStore(now)
    return {
      report: (from: number, to: number) => {
        now = { from, to }
        store.set(now)
      },
      get: () => now,
      use: store.use,
    }
  })
  return sight
}

export type SightStore = ReturnType<typeof useSight>
