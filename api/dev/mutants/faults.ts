import type { Node } from './tree.ts'

/** One change of a text: what stands from `start` to `end` becomes `text`. */
export interface Fault {
  kind: string
  start: number
  end: number
  text: string
}

/** Finds the faults of one sort that can be made at a node. */
export type Rule = (node: Node, above: Node[], source: string) => Fault[]

const child = (node: Node, field: string) => node[field] as Node
const textOf = (node: Node, source: string) => source.slice(node.start, node.end)
const instead = (kind: string, node: Node, text: string): Fault => ({
  kind,
  start: node.start,
  end: node.end,
  text,
})

const exits = new Set(['ThrowStatement', 'ReturnStatement', 'ContinueStatement', 'BreakStatement'])

/** The one statement of a block, or the statement itself. */
function soleStatement(node: Node): Node | undefined {
  if (node.type !== 'BlockStatement') return node
  const body = node['body'] as Node[]
  return body.length === 1 ? body[0] : undefined
}

const isGuard = (node: Node) =>
  node.type === 'IfStatement' &&
  !node['alternate'] &&
  exits.has(soleStatement(child(node, 'consequent'))?.type ?? '')

const choices = new Set(['IfStatement', 'ConditionalExpression'])
const loops = new Set(['WhileStatement', 'DoWhileStatement', 'ForStatement'])

/** A condition that always holds, never holds, or holds when it should not. A loop is never made endless. */
const conditions: Rule = (node, _above, source) => {
  const test = node['test'] as Node | null
  if (!test || test.type === 'Literal') return []
  if (loops.has(node.type)) return [instead('condition never holds', test, 'false')]
  if (!choices.has(node.type)) return []
  return [
    instead('condition always holds', test, 'true'),
    instead(isGuard(node) ? 'guard removed' : 'condition never holds', test, 'false'),
    instead('condition negated', test, `!(${textOf(test, source)})`),
  ]
}

const swaps: Record<string, [kind: string, other: string]> = {
  '<': ['boundary moved', '<='],
  '<=': ['boundary moved', '<'],
  '>': ['boundary moved', '>='],
  '>=': ['boundary moved', '>'],
  '===': ['comparison turned', '!=='],
  '!==': ['comparison turned', '==='],
  '==': ['comparison turned', '!='],
  '!=': ['comparison turned', '=='],
  '+': ['arithmetic changed', '-'],
  '-': ['arithmetic changed', '+'],
  '*': ['arithmetic changed', '/'],
  '/': ['arithmetic changed', '*'],
  '%': ['arithmetic changed', '*'],
  '&&': ['logic changed', '||'],
  '||': ['logic changed', '&&'],
  '??': ['logic changed', '&&'],
  '+=': ['arithmetic changed', '-='],
  '-=': ['arithmetic changed', '+='],
  '++': ['arithmetic changed', '--'],
  '--': ['arithmetic changed', '++'],
}

const isText = ({ type, value }: Node) =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')

const operations = new Set([
  'BinaryExpression',
  'LogicalExpression',
  'AssignmentExpression',
  'UpdateExpression',
])

/** Another operator. Mixed `??` needs brackets, which are always given. A sum of texts is no sum. */
const operators: Rule = (node, _above, source) => {
  const swap = operations.has(node.type) ? swaps[node['operator'] as string] : undefined
  if (!swap) return []
  const [kind, other] = swap
  if (node.type === 'UpdateExpression') {
    const operand = textOf(child(node, 'argument'), source)
    return [instead(kind, node, node['prefix'] ? `${other}${operand}` : `${operand}${other}`)]
  }
  const [left, right] = [child(node, 'left'), child(node, 'right')]
  if (/^[+]/.test(node['operator'] as string) && (isText(left) || isText(right))) return []
  if (node.type === 'AssignmentExpression')
    return [instead(kind, node, `${textOf(left, source)} ${other} ${textOf(right, source)}`)]
  return [instead(kind, node, `((${textOf(left, source)}) ${other} (${textOf(right, source)}))`)]
}

/** `!x` becomes `x`; as a whole condition that is the negation, which exists already. */
const negations: Rule = (node, above, source) => {
  const parent = above.at(-1)
  if (node.type !== 'UnaryExpression' || node['operator'] !== '!') return []
  if (parent && choices.has(parent.type) && parent['test'] === node) return []
  return [instead('negation dropped', node, `(${textOf(child(node, 'argument'), source)})`)]
}

/** No caller counts on what is logged. */
const isLog = (text: string) => /^(await )?[\w.?]*\blog(ger)?\??\.(debug|info|warn|error)\b/.test(text)

const statements: Rule = (node, above, source) => {
  const text = textOf(node, source)
  if (node.type === 'ThrowStatement') {
    const holders = above.slice(-2).filter(({ type }) => type === 'IfStatement')
    return holders.some(isGuard) ? [] : [instead('throw removed', node, ';')]
  }
  if (node.type !== 'ExpressionStatement' || node['directive']) return []
  return isLog(text) || text.startsWith('super(') ? [] : [instead('statement removed', node, ';')]
}

/** What is handed to the caller anyway is waited for there, unless a `try` around it wants the error. */
const awaits: Rule = (node, above, source) => {
  if (node.type !== 'AwaitExpression') return []
  const parent = above.at(-1)
  const isHanded = parent?.type === 'ReturnStatement' || parent?.type === 'ArrowFunctionExpression'
  if (isHanded && !above.some(({ type }) => type === 'TryStatement')) return []
  return [instead('await removed', node, `(${textOf(child(node, 'argument'), source)})`)]
}

/** Above this a number is a size, a time or a limit, where one more or less is no fault: it becomes 0. */
const countable = 100

const literals: Rule = (node, above, source) => {
  if (node.type !== 'Literal') return []
  const parent = above.at(-1)
  if (parent?.['key'] === node && !parent['computed']) return []
  const { value } = node
  if (typeof value === 'boolean') {
    return loops.has(parent?.type ?? '') ? [] : [instead('flag turned', node, String(!value))]
  }
  if (typeof value === 'number')
    return [instead('number changed', node, value > countable ? '0' : String(value + 1))]
  if (typeof value === 'bigint')
    return [instead('number changed', node, value > countable ? '0n' : `${value + 1n}n`)]
  const isAnswer = parent?.type === 'ReturnStatement' || parent?.type === 'ArrowFunctionExpression'
  return isAnswer && isText(node) && textOf(node, source).length > 2
    ? [instead('text emptied', node, "''")]
    : []
}

const templates: Rule = (node, above) => {
  const parent = above.at(-1)
  const isAnswer = parent?.type === 'ReturnStatement' || parent?.type === 'ArrowFunctionExpression'
  return node.type === 'TemplateLiteral' && isAnswer ? [instead('text emptied', node, "''")] : []
}

const isAnd = (node: Node | undefined) =>
  node?.type === 'CallExpression' && child(node, 'callee')['name'] === 'and'

/** One member of `and(...)` dropped, or the whole `.where(...)` where it has but one. */
const wheres: Rule = (node, _above, source) => {
  if (node.type !== 'CallExpression') return []
  const args = node['arguments'] as Node[]
  if (isAnd(node) && args.length > 1)
    return args.map((dropped) => {
      const rest = args.filter((each) => each !== dropped).map((each) => textOf(each, source))
      return instead('where member dropped', node, `and(${rest.join(', ')})`)
    })
  const callee = child(node, 'callee')
  const isWhere = callee.type === 'MemberExpression' && child(callee, 'property')['name'] === 'where'
  if (!isWhere || isAnd(args[0])) return []
  return [instead('where dropped', node, textOf(child(callee, 'object'), source))]
}

export const rules: Rule[] = [
  conditions,
  operators,
  negations,
  statements,
  awaits,
  literals,
  templates,
  wheres,
]
