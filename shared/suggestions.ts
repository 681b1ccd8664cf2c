/** A part of a comment: Markdown, or what it suggests to put in place of the lines that it is about. */
export type CommentPart = { kind: 'text'; text: string } | { kind: 'suggestion'; lines: string[] }

const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/

interface Open {
  mark: string
  lines: string[]
  isSuggestion: boolean
}

const isEnd = (line: string, { mark }: Open) => {
  const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
  return end !== undefined && end[0] === mark[0] && end.length >= mark.length
}

/**
 * The parts of a comment, in order: what stands in a fence of the language `suggestion` is one. A fence within another
 * belongs to that, and one that never ends suggests nothing. The page shows by this what the server commits by this.
 */
export function commentParts(body: string): CommentPart[] {
  const parts: CommentPart[] = []
  let text: string[] = []
  let open: Open | undefined
  const end = () => {
    if (text.some((line) => line.trim() !== '')) parts.push({ kind: 'text', text: text.join('\n') })
    text = []
  }
  for (const line of body.split(/\r?\n/)) {
    const begun = open ? undefined : fence.exec(line)
    if (begun) {
      const [, mark = '', info = ''] = begun
      // A line of inline code may begin with three of them.
      const isFence = mark.startsWith('~') || !info.includes('`')
      if (isFence) open = { mark, lines: [], isSuggestion: info.trim() === 'suggestion' }
      if (open?.isSuggestion) end()
      else text.push(line)
    } else if (open && isEnd(line, open)) {
      if (open.isSuggestion) parts.push({ kind: 'suggestion', lines: open.lines })
      else text.push(line)
      open = undefined
    } else if (open?.isSuggestion) open.lines.push(line)
    else text.push(line)
  }
  if (open?.isSuggestion) text = [`${open.mark}suggestion`, ...open.lines]
  end()
  return parts
}

/** What a comment suggests, in order. */
export const suggestionsIn = (body: string): string[][] =>
  commentParts(body).flatMap((part) => (part.kind === 'suggestion' ? [part.lines] : []))

/** A fence that suggests these lines, longer than any fence within them. */
export function suggestionOf(lines: readonly string[]): string {
  const longest = Math.max(0, ...lines.map((line) => /^ {0,3}(`{3,})/.exec(line)?.[1]?.length ?? 0))
  const mark = '`'.repeat(Math.max(3, longest + 1))
  return [`${mark}suggestion`, ...lines, mark].join('\n')
}
