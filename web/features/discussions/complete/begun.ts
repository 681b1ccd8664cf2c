/** A reference that is being typed: what it begins with, and how far it has come. */
export interface Begun {
  kind: 'person' | 'discussion' | 'repo'
  /** What was typed of the name. */
  word: string
  /** Where in the text it begins. */
  from: number
}

const patterns: [kind: Begun['kind'], pattern: RegExp][] = [
  ['person', /(?<![\w@/.-])@([\w.-]{0,96})$/],
  ['discussion', /(?<![\w#/.-])#(\w[\w ]{0,60}|)$/],
  ['repo', /(?<![\w/.-])((?:models|datasets)\/[\w.\-/]{0,200})$/],
]

/** The reference that ends at the caret, if one does. */
export function begunAt(text: string, caret: number): Begun | undefined {
  const line = text.slice(text.lastIndexOf('\n', caret - 1) + 1, caret)
  for (const [kind, pattern] of patterns) {
    const found = pattern.exec(line)
    if (found) return { kind, word: found[1] ?? '', from: caret - found[0].length }
  }
  return undefined
}

/** The text with the reference written out, and where the caret is then. */
export function completed(text: string, { from }: Begun, caret: number, reference: string) {
  const after = text.slice(caret)
  const inserted = /^\s/.test(after) ? reference : `${reference} `
  return { text: text.slice(0, from) + inserted + after, caret: from + reference.length + 1 }
}
