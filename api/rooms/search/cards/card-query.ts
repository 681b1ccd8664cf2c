import { wordsIn } from '../../../core/metadata/index.ts'
import type { TextQuery } from '../../../stores/db/index.ts'

/** Shorter beginnings are words of too many cards. */
const SHORTEST_BEGINNING = 2

/** Quotes of any keyboard. */
const quotes = /[“”„‟«»＂]/g

/** A phrase in quotes, or what stands between blanks; a quote that is not closed goes to the end. */
const part = /"([^"]*)(?:"|$)|[^\s"]+/g

/**
 * What a search asks of cards: every word, each phrase in quotes as it stands, and the last word as a beginning. A part
 * of several words, such as `tiny-bert`, is a phrase. Nothing else in it means anything.
 */
export function cardQuery(q: string): TextQuery {
  const phrases: string[][] = []
  let isOpen = false
  for (const [text, quoted] of q.replaceAll(quotes, '"').matchAll(part)) {
    const words = [...wordsIn(quoted ?? text)].map(({ word }) => word)
    const isClosed = quoted !== undefined && text.length > 1 && text.endsWith('"')
    isOpen = !isClosed && (words.at(-1)?.length ?? 0) >= SHORTEST_BEGINNING
    if (words.length > 0) phrases.push(words)
  }
  return { phrases, isOpen }
}
