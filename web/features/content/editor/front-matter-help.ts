import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { EditorState } from '@codemirror/state'
import { cardKeys } from './card-keys.ts'

const keys: Completion[] = cardKeys.map(({ name, detail, info }, i) => ({
  label: name,
  apply: `${name}: `,
  type: 'property',
  detail,
  info,
  boost: -i,
}))

/** Whether a line stands between the two `---` at the beginning of a card. */
function isInFrontMatter(state: EditorState, lineNumber: number): boolean {
  const { doc } = state
  if (doc.line(1).text.trimEnd() !== '---' || lineNumber === 1) return false
  for (let n = 2; n < lineNumber; n++) if (doc.line(n).text.trimEnd() === '---') return false
  return doc.line(lineNumber).text.trimEnd() !== '---'
}

/** The top-level key that a list entry belongs to. */
function keyAbove(state: EditorState, lineNumber: number): string | undefined {
  for (let n = lineNumber - 1; n > 1; n--) {
    const key = /^([\w-]+):/.exec(state.doc.line(n).text)?.[1]
    if (key) return key
  }
  return undefined
}

/** Keys of a card's metadata, each with what it means, and the values that are known for it. */
export function completeFrontMatter(context: CompletionContext): CompletionResult | null {
  const { state, pos, explicit } = context
  const line = state.doc.lineAt(pos)
  if (!isInFrontMatter(state, line.number)) return null
  const before = line.text.slice(0, pos - line.from)
  if (/^[\w-]*$/.test(before))
    return explicit || before !== '' ? { from: line.from, options: keys, validFor: /^[\w-]*$/ } : null
  const [, inLine] = /^([\w-]+):\s*(?:\[(?:.*,)?\s*)?[\w.<>-]*$/.exec(before) ?? []
  const name = inLine ?? (/^\s*-\s*[\w.<>-]*$/.test(before) ? keyAbove(state, line.number) : undefined)
  const values = cardKeys.find((key) => key.name === name)?.values
  if (!values) return null
  const word = /[\w.<>-]*$/.exec(before)?.[0] ?? ''
  return {
    from: pos - word.length,
    options: values.map((label) => ({ label, type: 'constant' })),
    validFor: /^[\w.<>-]*$/,
  }
}
