import { pathToFileURL } from 'node:url'
import { parseSync } from 'oxc-parser'
import { sourcesBelow } from './imports.ts'
import { roomOf } from './rooms.ts'
import { visit, type Node } from './visit.ts'

/** Files that are given their table by the caller, which belongs to the same room. */
const givenTables = ['api/rooms/collections/order.ts']

const isTest = (file: string) => /\.test\.ts$|(^|\/)testing(\/|\.ts$)|^api\/dev\//.test(file)

/** Which room declares each table: `c.table('name', …)` of its `tables.ts`. */
function tableOwners(sources: ReadonlyMap<string, string>): Map<string, string> {
  const owners = new Map<string, string>()
  for (const [file, source] of sources) {
    const room = roomOf(file)
    if (room === undefined || !file.endsWith('/tables.ts')) continue
    for (const [, name] of source.matchAll(/\bc\.table\(\s*'(\w+)'/g)) if (name) owners.set(name, room)
  }
  return owners
}

/**
 * Writes to tables of other rooms, each as `file: verb table of room`. A write whose table cannot be read from the file
 * is a fault as well. Statements in text are not looked at.
 */
export function strayWrites(sources: ReadonlyMap<string, string>): string[] {
  const owners = tableOwners(sources)
  return [...sources].flatMap(([file, source]) => {
    const room = roomOf(file)
    if (room === undefined || isTest(file) || givenTables.includes(file)) return []
    return writesOf(file, source, owners).flatMap(({ verb, table }) => {
      if (table === undefined)
        return [`${file}: ${verb} names no table; write to t.<table> or a name taken from t`]
      const owner = owners.get(table)
      return owner === room ? [] : [`${file}: ${verb} ${table}, which only ${owner}/ writes`]
    })
  })
}

interface Write {
  verb: string
  table: string | undefined
}

function writesOf(file: string, source: string, owners: ReadonlyMap<string, string>): Write[] {
  const { program } = parseSync(file, source)
  const names = new Map<string, string>()
  const writes: Write[] = []
  visit(program, (node) => {
    if (node.type !== 'ObjectPattern') return
    for (const { key, value } of node['properties'] as { key?: Node; value?: Node }[]) {
      const table = nameOf(key)
      const local = nameOf(value)
      if (table !== undefined && local !== undefined && owners.has(table)) names.set(local, table)
    }
  })
  visit(program, (node) => {
    const written = writtenBy(node)
    if (!written) return
    const { verb, target } = written
    const member = target.type === 'MemberExpression' ? nameOf(target['property'] as Node) : undefined
    const name = nameOf(target)
    const table = member !== undefined && owners.has(member) ? member : name && names.get(name)
    writes.push({ verb, table })
  })
  return writes
}

/** The verb and the target of `….q.insert(target)` and its like. */
function writtenBy(node: Node): { verb: string; target: Node } | undefined {
  if (node.type !== 'CallExpression') return undefined
  const callee = node['callee'] as Node
  const verb = callee.type === 'MemberExpression' ? nameOf(callee['property'] as Node) : undefined
  if (verb === undefined || !['insert', 'update', 'delete'].includes(verb)) return undefined
  const handle = callee['object'] as Node
  const handleName = handle.type === 'MemberExpression' ? nameOf(handle['property'] as Node) : nameOf(handle)
  const [target] = node['arguments'] as Node[]
  return handleName === 'q' && target ? { verb, target } : undefined
}

const nameOf = (node: Node | undefined) =>
  node?.type === 'Identifier' ? (node['name'] as string) : undefined

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = strayWrites(sourcesBelow(process.cwd(), ['api']))
  for (const each of found) process.stdout.write(`${each}\n`)
  process.exitCode = found.length === 0 ? 0 : 1
}
