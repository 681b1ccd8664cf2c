/** How much of a card is kept for searches. Bytes. */
export const MAX_TEXT_BYTES = 64 * 1024

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/*
 * What each rule removes. No rule reads past the next mark that could begin another match, so the time is linear in the
 * length, for hostile text too.
 */
const rules: [RegExp, string][] = [
  // Those of marks within a line stand close to words.
  [/<\/?(?:a|b|i|u|s|em|strong|span|code|kbd|small|sub|sup|font|del|ins)(?:\s[^<>]*)?>/gi, ''],
  [/<\/?[a-z][^<>]*>/gi, ' '],
  // Twice: a picture may be what a link shows.
  [/!?\[([^\][]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1'],
  [/!?\[([^\][]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1'],
  [/\[([^\][]*)\]\[[^\][\n]*\]/g, '$1'],
  [/^ {0,3}\[(?!\^)[^\][\n]+\]:[^\n]*$/gm, ''],
  [/\b(?:https?|ftp):\/\/[^\s<>()[\]"'`|]+/gi, ' '],
  // The fences of code, lines below headings, and between the head of a table and its rows.
  [/^[ \t]*(?:`{3,}|~{3,})[^\n]*$/gm, ''],
  [/^[ \t|:=*_-]{3,}$/gm, ''],
  // A heading ends as a sentence does, since the text behind it stands on the same line.
  [/^(#{1,6}[ \t][^\n]*[\p{L}\p{N})])([*_`]*)[ \t#]*$/gmu, '$1.$2'],
  // Quotes, headings, lists.
  [/^[ \t]*(?:(?:>|#{1,6}|[-*+]|\d{1,9}[.)])[ \t]+)+/gm, ''],
  [/(?<!\\)[*`]+|~~/g, ''],
  [/(?<!\\)\|/g, ' '],
  [/(?<![\p{L}\p{N}_\\])_+|(?<!\\)_+(?![\p{L}\p{N}_])/gu, ''],
  [/\\([\\`*_{}[\]()#+.!|>~-])/g, '$1'],
]

/** A text as a reader sees it: Markdown, of a card below its front matter, without marks, tags and addresses. */
export function plainText(markdown: string): string {
  let text = beginning(markdown)
  text = without(text, '<!--', '-->')
  text = without(text, '<script', '</script>')
  text = without(text, '<style', '</style>')
  for (const [pattern, put] of rules) text = text.replace(pattern, put)
  text = text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_all, name: string) => entities[name] ?? ' ')
  // Neither database holds NUL, nor half of a surrogate pair.
  return text.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim()
}

/** As many bytes as are kept, without half a character at the end. */
function beginning(text: string): string {
  const bytes = Buffer.from(text.slice(0, MAX_TEXT_BYTES))
  if (bytes.length <= MAX_TEXT_BYTES) return text.slice(0, MAX_TEXT_BYTES)
  return bytes
    .subarray(0, MAX_TEXT_BYTES)
    .toString()
    .replace(/\uFFFD$/, '')
}

/** Without what stands between two marks, in any case; what is opened and not closed goes to the end. */
function without(text: string, open: string, close: string): string {
  const lower = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  const kept: string[] = []
  for (let at = 0; ;) {
    const start = lower.indexOf(open, at)
    if (start < 0) return kept.length === 0 ? text : kept.join(' ') + text.slice(at)
    kept.push(text.slice(at, start), '')
    const end = lower.indexOf(close, start + open.length)
    if (end < 0) return kept.join(' ')
    at = end + close.length
  }
}
