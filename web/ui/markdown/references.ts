/** Of the worker, not of this file: in development the parser is bundled with a copy of it. */
const held = globalThis as { characterReferences?: Record<string, string> }

/** Loads the 2231 names of character references where a text seems to have one: few do. */
export async function loadReferences(text: string): Promise<void> {
  if (/&[a-z]/i.test(text)) held.characterReferences = (await import('character-entities')).characterEntities
}

/**
 * The character of a name, as of `amp`; `false` for others. The parser of Markdown calls this in place of the package of
 * this name (vite.config.ts), which in a browser asks the document, and a worker has none.
 */
export function decodeNamedCharacterReference(name: string): string | false {
  const names = held.characterReferences ?? {}
  return Object.hasOwn(names, name) ? (names[name] ?? false) : false
}
