import { allowedFunctions, allowedTableFunctions } from './functions.ts'

/** A statement that is not run, with the reason. */
export class SqlFault extends Error {}

interface Serialized {
  error: boolean
  error_message?: string
  statements?: unknown[]
}

const onlySelect = 'Only one SELECT is run here: data cannot be changed, and settings neither.'

/**
 * Refuses what is not a single SELECT over the splits, by the syntax tree that DuckDB itself makes of the statement
 * (`json_serialize_sql`). `tables` are the splits; `system` are views and tables of the engine itself. Throws `SqlFault`.
 */
export function checkStatement(
  serialized: string,
  { tables, system }: { tables: ReadonlySet<string>; system: ReadonlySet<string> },
): void {
  const { error, error_message: message = '', statements = [] } = JSON.parse(serialized) as Serialized
  if (error) throw new SqlFault(message.startsWith('Only SELECT') ? onlySelect : message)
  if (statements.length !== 1) throw new SqlFault(onlySelect)
  const named = new Set<string>()
  visit(statements, (node) => nameTables(node, named, system))
  visit(statements, (node) => checkNode(node, new Set([...tables, ...named])))
}

type Node = Record<string, unknown>

/** Every object of the tree. Deep trees do not end the stack. */
function visit(root: unknown, look: (node: Node) => void): void {
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next)) look(next as Node)
    // Not `push(...)`: a statement may have more members than a call takes.
    for (const inner of Object.values(next)) waiting.push(inner)
  }
}

const textOf = (given: unknown) => (typeof given === 'string' ? given.toLowerCase() : '')

/** Names that WITH gives. */
function nameTables(node: Node, named: Set<string>, system: ReadonlySet<string>): void {
  const { cte_map: ctes, cte_name: cte } = node
  const entries = (ctes as { map?: { key?: unknown }[] } | undefined)?.map ?? []
  for (const name of [...entries.map(({ key }) => textOf(key)), textOf(cte)]) {
    if (name === '') continue
    if (system.has(name)) throw new SqlFault(`WITH cannot name a table ${name}. Use another name.`)
    named.add(name)
  }
}

function checkNode(node: Node, tables: ReadonlySet<string>): void {
  const { type } = node
  if (type === 'SHOW_REF')
    throw new SqlFault('DESCRIBE, SUMMARIZE and SHOW are not run here. Write a SELECT.')
  if (type === 'BASE_TABLE') checkTable(node, tables)
  if (type === 'TABLE_FUNCTION') return checkTableFunction(node)
  if (typeof node['function_name'] === 'string') checkFunction(node)
}

function checkTable(node: Node, tables: ReadonlySet<string>): void {
  const name = textOf(node['table_name'])
  if (textOf(node['catalog_name']) === '' && textOf(node['schema_name']) === '' && tables.has(name)) return
  throw new SqlFault(
    `There is no table ${String(node['table_name'])}. The tables are the splits: ${[...tables].join(', ')}.`,
  )
}

const tableCalls = new WeakSet<object>()

function checkTableFunction(node: Node): void {
  const call = node['function'] as Node | undefined
  const name = textOf(call?.['function_name'])
  if (!call || !isPlain(call) || !allowedTableFunctions.has(name)) throw refused(name)
  tableCalls.add(call)
}

function checkFunction(node: Node): void {
  const name = textOf(node['function_name'])
  if (tableCalls.has(node)) return
  if (!allowedFunctions.has(name)) throw refused(name)
}

/** Methods (`a.lower()`) have the value they are called on where other functions have a schema. */
const isPlain = (call: Node) => textOf(call['schema']) === '' && textOf(call['catalog']) === ''

const refused = (name: string) =>
  new SqlFault(`The function ${name} is not allowed here. Functions that compute with values are.`)
