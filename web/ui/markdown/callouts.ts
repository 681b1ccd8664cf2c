import type { Element, ElementContent, Root } from 'hast'

/** The kinds that the public hub's cards use, written as a quote that begins with `[!NOTE]` on a line of its own. */
const marker = /^\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i

/** A rehype plugin, run after the sanitiser: such quotes become notes with a title, coloured by `data-callout`. */
export function rehypeCallouts() {
  return (tree: Root) => {
    for (const node of tree.children) mark(node)
  }
}

function mark(node: Root['children'][number]): void {
  if (node.type !== 'element') return
  if (node.tagName === 'blockquote') markQuote(node)
  for (const child of node.children) mark(child)
}

function markQuote(quote: Element): void {
  const first = quote.children.find((child) => child.type === 'element')
  const text = first?.tagName === 'p' ? first.children[0] : undefined
  const kind = text?.type === 'text' ? marker.exec(text.value) : null
  if (!first || text?.type !== 'text' || !kind?.[1]) return
  text.value = text.value.slice(kind[0].length)
  // Markdown keeps a line break after the marker as an element where the line ends in two spaces.
  const rest = first.children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  const name = kind[1].toLowerCase()
  quote.properties = { ...quote.properties, dataCallout: name }
  const others = rest.length > 0 ? quote.children : quote.children.filter((child) => child !== first)
  quote.children = [titleOf(name), ...others]
}

const titleOf = (name: string): ElementContent => ({
  type: 'element',
  tagName: 'p',
  properties: {},
  children: [
    {
      type: 'element',
      tagName: 'strong',
      properties: {},
      children: [{ type: 'text', value: name.charAt(0).toUpperCase() + name.slice(1) }],
    },
  ],
})
