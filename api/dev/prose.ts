import { parseSync } from 'oxc-parser'
import { visit, type Node } from './visit.ts'

/**
 * A source of TypeScript, JavaScript or Python with everything blanked out but its comments and the titles of its
 * tests. Lines and columns stay as they are.
 */
export function proseOf(file: string, source: string): string {
  const ranges = file.endsWith('.py') ? pythonProse(source) : scriptProse(file, source)
  const isProse = new Uint8Array(source.length)
  for (const { start, end } of ranges) isProse.fill(1, start, end)
  return Array.from({ length: source.length }, (_, at) => {
    const letter = source.charAt(at)
    return isProse[at] === 1 || letter === '\n' ? letter : ' '
  }).join('')
}

interface Range {
  start: number
  end: number
}

const pythonProse = (source: string): Range[] =>
  [...source.matchAll(/"""[^]*?"""|(?<=^|\s)#.*/g)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }))

/** Comments, and each text that a call has before its function: `test('…', async () => …)`. */
function scriptProse(file: string, source: string): Range[] {
  const { program, comments } = parseSync(file, source)
  const found: Range[] = [...comments]
  visit(program as unknown as Node, (node) => {
    if (node.type !== 'CallExpression') return
    const given = node['arguments'] as Node[]
    if (!given.some(({ type }) => /Function/.test(type))) return
    found.push(...given.filter(({ type }) => type === 'Literal' || type === 'TemplateLiteral'))
  })
  return found
}
