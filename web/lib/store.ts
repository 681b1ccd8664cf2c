import { useSyncExternalStore } from 'react'

/** A value outside the components: `set` draws those again that `use` it. */
export interface Store<T> {
  set: (next: T) => void
  use: () => T
}

export function createStore<T>(value: T): Store<T> {
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const read = () => value
  return {
    set: (next) => {
      value = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, read, read),
  }
}
