import { plainText } from './plain-text.ts'
import { wordsOf } from './words.ts'

/** Raise it when the same README leads to another text, and `RULES_VERSION` of `rooms/indexing/` with it. */
export const CARD_TEXT_VERSION = 1

/** A card as searches read it. */
export interface SearchText {
  /** The blob of the README, 40-hex; `null` where there is none. */
  readme: string | null
  /** What people read, without Markdown. */
  text: string
  /** Its words as they are compared, with blanks between them. */
  words: string
}

/** What searches know of a card; `body` is the Markdown below its front matter. */
export function searchTextOf(readme: string | null, body: string): SearchText {
  const text = plainText(body)
  return { readme, text, words: wordsOf(text) }
}
