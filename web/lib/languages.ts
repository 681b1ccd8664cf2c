/** Those that numbers, sizes and dates follow, the best first. Words are English. */
let languages: readonly string[] = globalThis.navigator?.languages ?? ['en']

/** From now on, numbers, sizes and dates follow these: the server draws pages for many browsers, each in one go. */
export function formatIn(wanted: readonly string[]): void {
  if (wanted.join() !== languages.join()) languages = [...wanted]
}

/** What `make` makes for the languages of the page, made once: a formatter takes longer to make than to use. */
export function byLanguage<T>(make: (languages: string[]) => T): () => T {
  let last: { of: readonly string[]; made: T } | undefined
  return () => {
    if (last?.of !== languages) last = { of: languages, made: make([...languages]) }
    return last.made
  }
}
