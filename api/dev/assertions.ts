import { dirname, join, normalize } from 'node:path/posix'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'oxc-parser'
import { sourcesBelow } from './imports.ts'
import { visit, type Node } from './visit.ts'

/** Texts by their path from the repository's root. */
type Sources = Map<string, string>

const asserts = /\b(expect(?:Type)?\w*|assert\w*)\b[(.]/

/**
 * Tests of vitest whose body compares nothing, neither itself nor by a function of ours that it calls: each as
 * `file: title`. Such a test passes whatever the code answers.
 */
export function testsWithoutAssertion(sources: Sources): string[] {
  const known = new Map<string, Set<string>>()
  return [...sources].flatMap(([file, source]) => {
    if (!/\.test\.tsx?$/.test(file)) return []
    const helpers = assertingNames(file, sources, known)
    return testsOf(file, source)
      .filter(({ body }) => !isAsserting(body, helpers))
      .map(({ title }) => `${file}: ${title}`)
  })
}

const isAsserting = (text: string, helpers: Set<string>) =>
  asserts.test(text) || [...text.matchAll(/\b([A-Za-z_]\w*)\(/g)].some(([, name]) => helpers.has(name ?? ''))

/** Functions that a file declares or imports, and that compare something. */
function assertingNames(file: string, sources: Sources, known: Map<string, Set<string>>): Set<string> {
  const found = known.get(file)
  if (found) return found
  const names = new Set<string>()
  known.set(file, names)
  const source = sources.get(file)
  if (source === undefined) return names
  const { program, module } = parseSync(file, source)
  for (const { moduleRequest, entries } of module.staticImports) {
    const from = assertingNames(normalize(join(dirname(file), moduleRequest.value)), sources, known)
    for (const { importName, localName } of entries)
      if (from.has(importName.name ?? '')) names.add(localName.value)
  }
  const functions = functionsIn(program as unknown as Node, source)
  // One that calls another which asserts does so, too.
  for (let before = -1; before !== names.size;) {
    before = names.size
    for (const { name, text } of functions) if (isAsserting(text, names)) names.add(name)
  }
  return names
}

function functionsIn(program: Node, source: string): { name: string; text: string }[] {
  const functions: { name: string; text: string }[] = []
  visit(program, (node) => {
    const named = (node['id'] ?? node['key']) as Node | undefined
    const value = (node['init'] ?? node['value'] ?? node) as Node
    const isFunction = /Function/.test(value.type ?? '')
    if (named && isFunction && typeof named['name'] === 'string')
      functions.push({ name: named['name'], text: source.slice(value.start, value.end) })
  })
  return functions
}

function testsOf(file: string, source: string): { title: string; body: string }[] {
  const tests: { title: string; body: string }[] = []
  visit(parseSync(file, source).program as unknown as Node, (node) => {
    if (node.type !== 'CallExpression') return
    const callee = node['callee'] as Node
    if (!/^(test|it)\b(?!\.(extend|todo))/.test(source.slice(callee.start, callee.end))) return
    const given = node['arguments'] as Node[]
    const body = given.findLast(({ type }) => /Function/.test(type))
    const [title] = given
    if (body && title && title !== body)
      tests.push({ title: source.slice(title.start, title.end), body: source.slice(body.start, body.end) })
  })
  return tests
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = testsWithoutAssertion(sourcesBelow(process.cwd(), ['api', 'shared', 'web']))
  for (const each of found) process.stdout.write(`${each} compares nothing\n`)
  process.exitCode = found.length === 0 ? 0 : 1
}
