import { wordsIn, type Word } from '../../../core/metadata/index.ts'
import type { TextQuery } from '../../../stores/db/index.ts'

/** A piece of an excerpt; `marked` is what was looked for. */
export interface Segment {
  text: string
  marked: boolean
}

interface Span {
  start: number
  end: number
}

const LENGTH = 160
/** What stands before the first match. */
const BEFORE = 40

/** About 160 characters of a text around the first place that has what is looked for, else of its beginning. */
export function excerptOf(text: string, query: TextQuery): Segment[] {
  const { words, found } = readUpTo(text, query)
  const { start: from, end: to } = frameOf(text, words, found[0]?.start ?? 0)
  const segments: Segment[] = []
  let at = from
  const add = (end: number, marked: boolean) => {
    if (end > at) segments.push({ text: text.slice(at, end), marked })
    at = Math.max(at, end)
  }
  for (const { start, end } of found) {
    if (start < at || end > to) continue
    add(start, false)
    add(end, true)
  }
  add(to, false)
  const dots = { text: '…', marked: false }
  return [...(from > 0 ? [dots] : []), ...segments, ...(to < text.length ? [dots] : [])]
}

/** The words up to the first match and as far as an excerpt may go beyond it, and the matches among them. */
function readUpTo(text: string, query: TextQuery): { words: Word[]; found: Span[] } {
  const words: Word[] = []
  const found: Span[] = []
  for (const word of wordsIn(text)) {
    if (found[0] && word.start > found[0].start + LENGTH) break
    words.push(word)
    const start = startOfMatch(words, query)
    if (start !== undefined) found.push({ start, end: word.end })
  }
  return { words, found }
}

/** Where a phrase begins that ends with the last of the words. */
function startOfMatch(words: Word[], { phrases, isOpen }: TextQuery): number | undefined {
  for (const [n, phrase] of phrases.entries()) {
    const first = words.length - phrase.length
    const isLast = n === phrases.length - 1
    const isHere = phrase.every((wanted, i) => {
      const word = words[first + i]?.word
      const isBeginning = isOpen && isLast && i === phrase.length - 1
      return isBeginning ? word?.startsWith(wanted) : word === wanted
    })
    if (isHere) return words[first]?.start
  }
  return undefined
}

/** From the beginning of a word to the end of one. */
function frameOf(text: string, words: Word[], first: number): Span {
  const earliest = Math.max(0, Math.min(first - BEFORE, text.length - LENGTH))
  const start = earliest === 0 ? 0 : (words.find((word) => word.start >= earliest)?.start ?? earliest)
  const latest = Math.min(text.length, start + LENGTH)
  if (latest === text.length) return { start, end: latest }
  return { start, end: words.findLast(({ end }) => end <= latest && end > start)?.end ?? latest }
}
