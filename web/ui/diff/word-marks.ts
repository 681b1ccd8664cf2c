import type { FileDiff } from '../../lib/types.ts'

export type DiffLine = FileDiff['hunks'][number]['lines'][number]

/** A stretch of a line; whether it differs from the line it is paired with. */
export interface Stretch {
  text: string
  isMarked: boolean
}

/** Lines above this are compared as a whole. */
const maxLine = 1000
/** Comparisons of words; a line of 100 words beside another takes that many. */
const maxCells = 10_000
/** Lines that share less than this part of their text are other lines. */
const minShared = 0.3

/**
 * The stretches of the changed lines of a hunk that differ, by the index of the line. Removed lines are paired with the
 * added ones that follow them, in order.
 */
export function wordMarks(lines: DiffLine[], ignoresWhiteSpace = false): Map<number, Stretch[]> {
  const marks = new Map<number, Stretch[]>()
  for (let i = 0; i < lines.length;) {
    if (lines[i]?.kind !== 'delete') {
      i++
      continue
    }
    let adds = i
    while (lines[adds]?.kind === 'delete') adds++
    let end = adds
    while (lines[end]?.kind === 'add') end++
    for (let k = 0; k < Math.min(adds - i, end - adds); k++) {
      const pair = compareWords(lines[i + k]?.text ?? '', lines[adds + k]?.text ?? '')
      if (!pair) continue
      const [before, after] = ignoresWhiteSpace ? pair.map(withoutSpaces) : pair
      if (before) marks.set(i + k, before)
      if (after) marks.set(adds + k, after)
    }
    i = Math.max(end, i + 1)
  }
  return marks
}

const withoutSpaces = (line: Stretch[]) =>
  line.map((stretch) => (stretch.text.trim() ? stretch : { ...stretch, isMarked: false }))

const wordsOf = (line: string) => line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []

/** Both lines as stretches; `undefined` for lines that have little in common, or are too long. */
export function compareWords(before: string, after: string): [Stretch[], Stretch[]] | undefined {
  if (before.length > maxLine || after.length > maxLine) return undefined
  const a = wordsOf(before)
  const b = wordsOf(after)
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < Math.min(a.length, b.length) - head && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    tail++
  const [inA, inB] = commonWords(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  const isKept = (words: string[], inside: Set<number>) => (i: number) =>
    i < head || i >= words.length - tail || inside.has(i - head)
  const keepsA = isKept(a, inA)
  const shared = a.reduce((sum, word, i) => sum + (keepsA(i) && word.trim() ? word.length : 0), 0)
  const whole = Math.max(before.replace(/\s/g, '').length, after.replace(/\s/g, '').length)
  if (shared < whole * minShared) return undefined
  return [stretches(a, keepsA), stretches(b, isKept(b, inB))]
}

/** Places of the longest common subsequence in both; none where finding it would take long. */
function commonWords(a: string[], b: string[]): [Set<number>, Set<number>] {
  const inA = new Set<number>()
  const inB = new Set<number>()
  if (a.length * b.length > maxCells) return [inA, inB]
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      inA.add(i++)
      inB.add(j++)
    } else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return [inA, inB]
}

function stretches(words: string[], isKept: (i: number) => boolean): Stretch[] {
  const found: Stretch[] = []
  words.forEach((word, i) => {
    const isMarked = !isKept(i)
    const last = found.at(-1)
    if (last?.isMarked === isMarked) last.text += word
    else found.push({ text: word, isMarked })
  })
  return found
}
