import type { Nodes, Root } from 'mdast'

/** Text in brackets, which is a link where its target stands further down; `[!NOTE]` of a callout is none. */
const perhapsLink = /\[(?!!)[^\]]+\]/

/**
 * What shortens a parsed document to the blocks that look the same once a browser has laid it out with all that follows:
 * it ends before the first formula. Where the text was cut off, also before a link whose target may be missing, and
 * without the last block, which may go on.
 */
export function beginning(isCut: boolean): (parsed: Root) => void {
  const differs = (node: Nodes): boolean =>
    node.type === 'math' ||
    node.type === 'inlineMath' ||
    (isCut && node.type === 'text' && perhapsLink.test(node.value))
  return (parsed) => {
    const whole = isCut ? parsed.children.slice(0, -1) : parsed.children
    const end = whole.findIndex((block) => someOf(block, differs))
    parsed.children = end < 0 ? whole : whole.slice(0, end)
  }
}

/** Without recursion: documents may be nested without end. */
function someOf(node: Nodes, is: (node: Nodes) => boolean): boolean {
  const waiting = [node]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (is(next)) return true
    if ('children' in next) waiting.push(...next.children)
  }
  return false
}
