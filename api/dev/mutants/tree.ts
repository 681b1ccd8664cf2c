import { createHash } from 'node:crypto'
import { parseSync } from 'oxc-parser'

/** A node of the syntax tree, as far as faults are concerned. */
export interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Types cost nothing at run time; these alone hold expressions. */
const transparent = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])
const isSkipped = ({ type }: Node) =>
  (type.startsWith('TS') && !transparent.has(type)) || type === 'ImportDeclaration' || type === 'Decorator'

function* walk(node: Node, above: Node[]): Generator<{ node: Node; above: Node[] }> {
  if (isSkipped(node)) return
  yield { node, above }
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) yield* walk(child, [...above, node])
}

/** Every node of a file that does something when it runs, each with those around it, the outermost first. */
export function nodesOf(file: string, source: string): Generator<{ node: Node; above: Node[] }> {
  const { program, errors } = parseSync(file, source, { astType: 'ts' })
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message ?? 'cannot be parsed'}`)
  return walk(program as unknown as Node, [])
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

export const isFunction = ({ type }: Node): boolean => functions.has(type)

/** The name of a function here: the same wherever in its file it stands. */
export const placeOf = (file: string, { start, end }: Node, source: string): string =>
  `${file}:${createHash('sha256').update(source.slice(start, end)).digest('hex').slice(0, 8)}`
