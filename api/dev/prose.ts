import { parseSync } from 'oxc-parser'
import { visit, type Node } from './visit.ts'

interface Range {
  start: number
  end: number
}

/**
 * A source of TypeScript, JavaScript or Python with everything blanked out but its comments and the titles of its
 * tests. Lines and columns stay as they are.
 */
export function proseOf(file: string, source: string): string {
  return onlyRanges(source, file.endsWith('.py') ? pythonProse(source) : scriptRanges(file, source, titlesIn))
}

/** As `proseOf`, with the comments, every string and the text of elements: what a source says to people. */
export function textsOf(file: string, source: string): string {
  return onlyRanges(source, scriptRanges(file, source, stringsIn))
}

const pythonProse = (source: string): Range[] =>
  [...source.matchAll(/"""[^]*?"""|(?<=^|\s)#.*/g)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }))

/** Comments, and what `more` finds in each node. */
function scriptRanges(file: string, source: string, more: (node: Node) => Range[]): Range[] {
  const { program, comments } = parseSync(file, source)
  const found: Range[] = [...comments]
  visit(program as unknown as Node, (node) => found.push(...more(node)))
  return found
}

/** Each text that a call has beside a function: `test('…', async () => …)`. */
function titlesIn(node: Node): Range[] {
  if (node.type !== 'CallExpression') return []
  const given = node['arguments'] as Node[]
  if (!given.some(({ type }) => /Function/.test(type))) return []
  return given.filter(({ type }) => type === 'Literal' || type === 'TemplateLiteral')
}

const stringsIn = (node: Node): Range[] =>
  (node.type === 'Literal' && typeof node['value'] === 'string') ||
  node.type === 'TemplateElement' ||
  node.type === 'JSXText'
    ? [node]
    : []

function onlyRanges(source: string, ranges: Range[]): string {
  const isKept = new Uint8Array(source.length)
  for (const { start, end } of ranges) isKept.fill(1, start, end)
  return Array.from({ length: source.length }, (_, at) => {
    const letter = source.charAt(at)
    return isKept[at] === 1 || letter === '\n' ? letter : ' '
  }).join('')
}
