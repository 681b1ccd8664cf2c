import type { Element, ElementContent, Nodes, Parents, Properties, RootContent } from 'hast'
import { decodeNamedCharacterReference } from './references.ts'
import { schema } from './schema.ts'

/*
 * HTML within Markdown arrives as raw text between nodes, often `<div>` in one and `</div>` in another with Markdown
 * between them. This joins it into elements. The tree is sanitised afterwards and becomes React elements, never markup
 * again, so an HTML parser's exact repairs are no matter of safety and its 180 KB are not fetched.
 */

const voidElements = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Elements whose content is no text of the document. */
const opaque = new Set('script style template iframe noscript object textarea title svg math'.split(' '))
const blocks =
  'address article aside blockquote div dl fieldset h1 h2 h3 h4 h5 h6 hr ol p pre section table ul'
/** Which open elements a start tag ends, where authors leave the end tag out. */
const endedBy: Record<string, string[]> = {
  ...Object.fromEntries(blocks.split(' ').map((name) => [name, ['p']])),
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  tr: ['td', 'th', 'tr'],
  td: ['td', 'th'],
  th: ['td', 'th'],
}

/** Attribute names as written → as the tree names them; only those that the sanitiser lets through. */
const propertyNames = new Map(
  Object.values(schema.attributes ?? {})
    .flat()
    .map((definition) => (typeof definition === 'string' ? definition : definition[0]))
    .map((name) => [name.toLowerCase(), name]),
)

/** A rehype plugin: raw HTML becomes elements around the nodes it encloses. */
export function rehypeHtml() {
  return (tree: Nodes) => {
    if ('children' in tree) join(tree)
  }
}

function join(parent: Parents): void {
  const top: { children: RootContent[] } = { children: [] }
  const open: Element[] = []
  const place = () => (open.at(-1) ?? top).children as RootContent[]
  let skipUntil: string | undefined
  for (const node of parent.children) {
    if (node.type !== 'raw') {
      if ('children' in node) join(node)
      if (skipUntil === undefined) place().push(node)
      continue
    }
    for (const token of tokens(node.value)) {
      if (skipUntil !== undefined) {
        if (token.kind === 'end' && token.name === skipUntil) skipUntil = undefined
      } else if (token.kind === 'text') place().push({ type: 'text', value: token.text })
      else if (token.kind === 'end') close(open, token.name)
      else if (opaque.has(token.name)) skipUntil = token.isClosed ? undefined : token.name
      else begin(open, place, token)
    }
  }
  parent.children = top.children as ElementContent[]
}

function begin(open: Element[], place: () => RootContent[], token: StartTag): void {
  for (const name of endedBy[token.name] ?? []) if (open.at(-1)?.tagName === name) open.pop()
  const element: Element = {
    type: 'element',
    tagName: token.name,
    properties: token.properties,
    children: [],
  }
  place().push(element)
  if (!voidElements.has(token.name) && !token.isClosed) open.push(element)
}

/** An end tag ends the nearest element of its name and all within it; one without a start tag says nothing. */
function close(open: Element[], name: string): void {
  const at = open.findLastIndex((element) => element.tagName === name)
  if (at >= 0) open.length = at
}

interface StartTag {
  kind: 'start'
  name: string
  properties: Properties
  isClosed: boolean
}
type Token = StartTag | { kind: 'end'; name: string } | { kind: 'text'; text: string }

const tag =
  /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>|<\/([a-zA-Z][^\s/>]*)[^>]*>|<([a-zA-Z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>/g

function* tokens(html: string): Generator<Token> {
  let at = 0
  for (const match of html.matchAll(tag)) {
    if (match.index > at) yield { kind: 'text', text: decode(html.slice(at, match.index)) }
    at = match.index + match[0].length
    const [, end, start, attributes = '', slash] = match
    if (end) yield { kind: 'end', name: end.toLowerCase() }
    else if (start) {
      const properties = propertiesOf(attributes)
      yield { kind: 'start', name: start.toLowerCase(), properties, isClosed: slash === '/' }
    }
  }
  if (at < html.length) yield { kind: 'text', text: decode(html.slice(at)) }
}

const attribute = /([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g

function propertiesOf(text: string): Properties {
  const properties: Properties = {}
  for (const [, name = '', value] of text.matchAll(attribute)) {
    const written = name.toLowerCase()
    const property = propertyNames.get(written === 'class' ? 'classname' : written.replace(/^aria-/, 'aria'))
    if (property)
      properties[property] ??= value === undefined ? true : decode(value.replace(/^(["'])(.*)\1$/s, '$2'))
  }
  return properties
}

/** Character references as text. */
function decode(text: string): string {
  return text.replace(
    /&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|([a-zA-Z][a-zA-Z0-9]*));/g,
    (whole, decimal, hex, name) => {
      if (name) return decodeNamedCharacterReference(name) || whole
      const code = decimal ? Number(decimal) : Number.parseInt(hex as string, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD'
    },
  )
}
