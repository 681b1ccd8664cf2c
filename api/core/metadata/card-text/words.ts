/** A word as searches compare it, and where it stands. */
export interface Word {
  word: string
  start: number
  end: number
}

// Scripts that put no blanks between words: each of their letters is a word, and words are found as phrases.
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]`
const pattern = new RegExp(
  String.raw`(?=[\p{L}\p{N}])(?:${unspaced}\p{M}*|(?:(?!${unspaced})[\p{L}\p{N}\p{M}])+)`,
  'gu',
)

/** Longer ones, such as encoded bytes, are cut: Postgres keeps no word of 2 KiB. */
const MAX_LENGTH = 64

const compared = (word: string) => word.normalize('NFKC').toLowerCase().slice(0, MAX_LENGTH)

/**
 * The words of a text in any script, one after the other. What is stored for searches and what is searched for go through
 * this alike, so that both databases find the same.
 */
export function* wordsIn(text: string): Generator<Word> {
  for (const { 0: found, index } of text.matchAll(pattern))
    yield { word: compared(found), start: index, end: index + found.length }
}

/** The words of a text with a blank between them. */
export function wordsOf(text: string): string {
  const words: string[] = []
  for (const { word } of wordsIn(text)) words.push(word)
  return words.join(' ')
}
