/** Lines of a file that are replaced, by their numbers: from `first` to `last`. */
interface Replaced {
  first: number
  last: number
}

/**
 * The bytes of a text with some of its lines replaced. All others stay as they are, whatever their encoding; the new lines
 * end as the first replaced one does, and the file ends in a newline where it did.
 */
export function replaceLines(content: Buffer, { first, last }: Replaced, lines: readonly string[]): Buffer {
  const all = content.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []
  const ending = /\r?\n$/.exec(all[first - 1] ?? '')?.[0] ?? '\n'
  const put = lines.map((line) => Buffer.from(line).toString('latin1') + ending)
  const text = [...all.slice(0, first - 1), ...put, ...all.slice(last)].join('')
  const hadEnd = all.at(-1)?.endsWith('\n') ?? true
  return Buffer.from(hadEnd || last < all.length ? text : text.replace(/\r?\n$/, ''), 'latin1')
}
