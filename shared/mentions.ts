/** How many people one comment can notify. */
const maxMentions = 50

/** `@name` that stands by itself: not within an address, a path or a longer word. */
export const mentionPattern = /(?<![\w@/.-])@([A-Za-z0-9](?:[\w.-]{0,94}\w)?)(?![\w/@])/g

/** Names that the Markdown mentions outside of code and quotes, in lower case. */
export function mentionsIn(markdown: string): string[] {
  const said = withoutSpans(withoutBlocks(markdown))
  const found = new Set<string>()
  for (const [, name = ''] of said.matchAll(mentionPattern)) {
    found.add(name.toLowerCase())
    if (found.size === maxMentions) break
  }
  return [...found]
}

/** Without fenced blocks and quoted lines. */
function withoutBlocks(markdown: string): string {
  let fence = ''
  const kept: string[] = []
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence) {
      if (mark.startsWith(fence)) fence = ''
    } else if (mark) fence = mark
    else if (!/^ {0,3}>/.test(line)) kept.push(line)
  }
  return kept.join('\n')
}

/** Without code in a line: from one run of backticks to the next of the same length. */
function withoutSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)]
  const closing = new Map<number, number>()
  const endOf = runs.map(() => 0)
  for (let i = runs.length - 1; i >= 0; i--) {
    const { length } = runs[i]?.[0] ?? ''
    endOf[i] = closing.get(length) ?? 0
    closing.set(length, i)
  }
  let kept = ''
  let from = 0
  for (let i = 0; i < runs.length; i++) {
    const end = runs[endOf[i] ?? 0]
    if (!endOf[i] || !end) continue
    kept += `${text.slice(from, runs[i]?.index)} `
    from = end.index + end[0].length
    i = endOf[i] ?? i
  }
  return kept + text.slice(from)
}
