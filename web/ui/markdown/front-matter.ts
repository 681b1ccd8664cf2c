/** The YAML block that opens a card, apart from its text. */
export function splitFrontMatter(source: string): { frontMatter?: string; text: string } {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(source)
  if (!match) return { text: source }
  return { frontMatter: match[1] ?? '', text: source.slice(match[0].length) }
}
