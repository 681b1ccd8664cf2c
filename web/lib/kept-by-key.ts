/** A value in the browser's storage, with when it was last changed. */
export type Kept<T> = T & { at: number }

/** What is kept under a key; `none` where nothing is, or what cannot be read. */
export function keptUnder<T extends object>(storage: Storage, key: string, none: T): Kept<T> {
  try {
    return { at: 0, ...none, ...(JSON.parse(storage.getItem(key) ?? '{}') as Partial<T>) }
  } catch {
    return { at: 0, ...none }
  }
}

/** The other keys of a prefix, those first that were not changed for longest. */
export function othersOldestFirst(storage: Storage, prefix: string, key: string): string[] {
  return Object.keys(storage)
    .filter((name) => name.startsWith(prefix) && name !== key)
    .map((name) => ({ name, at: keptUnder(storage, name, {}).at }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name)
}
