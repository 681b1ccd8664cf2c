import { existsSync } from 'node:fs'
import { join, normalize } from 'node:path/posix'
import { dirname } from 'node:path'
import type { Copy } from './copy.ts'
import { nodesOf, isFunction, placeOf, type Node } from './tree.ts'

/** Which functions a test file runs, by their names (`placeOf`), and how long it takes. */
export interface Reach {
  /** The text of the test file at that time. */
  hash: string
  places: string[]
  durationMs: number
  isPassing: boolean
}

const mark = (place: string) => `(globalThis.arsenalReached??=new Set()).add(${JSON.stringify(place)})`

/** The file, whose every function notes that it ran. Constructors of subclasses note it after `super(...)` or never. */
export function noting(file: string, source: string): string {
  const inserts: { at: number; text: string }[] = []
  for (const { node } of nodesOf(file, source)) {
    if (!isFunction(node)) continue
    const body = node['body'] as Node | null
    const note = mark(placeOf(file, node, source))
    if (body?.type === 'BlockStatement') inserts.push({ at: body.start + 1, text: `${note};` })
    else if (body) {
      const [from, to] = expression(node, body, source)
      inserts.push({ at: from, text: `(${note},` }, { at: to, text: ')' })
    }
  }
  let text = source
  for (const { at, text: added } of inserts.sort((a, b) => b.at - a.at))
    text = text.slice(0, at) + added + text.slice(at)
  return text
}

/** An arrow's expression with the brackets around it, which the tree leaves out. */
function expression(arrow: Node, body: Node, source: string): [number, number] {
  const before = source.lastIndexOf('=>', body.start)
  return [before >= arrow.start ? before + 2 : body.start, arrow.end]
}

/** A test file that writes down at its end which functions have noted that they ran. */
export const reporting = (source: string, report: string): string =>
  `import { afterAll as __afterAll } from 'vitest';import { writeFileSync as __write } from 'node:fs';` +
  `__afterAll(() => { __write(${JSON.stringify(report)}, JSON.stringify([...(globalThis.arsenalReached ?? [])]));` +
  `globalThis.arsenalReached?.clear() });${source}`

/** How many imports lead from each test file to `file`, for code that runs where no note is taken: threads, processes. */
export function importersOf(copy: Copy, file: string, tests: string[]): Map<string, number> {
  const distances = new Map<string, number>()
  for (const test of tests) {
    const distance = distanceBetween(copy, test, file)
    if (distance !== undefined) distances.set(test, distance)
  }
  return distances
}

const edges = new Map<string, string[]>()

/** Whatever a file names by a relative path, also workers by their address. */
function namedBy(copy: Copy, file: string): string[] {
  const known = edges.get(file)
  if (known) return known
  const named = [...copy.read(file).matchAll(/['"](\.{1,2}\/[^'"]+\.ts)['"]/g)]
    .map(([, path]) => normalize(join(dirname(file), path ?? '')))
    .filter((path) => existsSync(join(copy.root, path)))
  edges.set(file, named)
  return named
}

function distanceBetween(copy: Copy, from: string, to: string): number | undefined {
  const seen = new Set([from])
  let front = [from]
  for (let distance = 0; front.length > 0; distance += 1) {
    if (front.includes(to)) return distance
    front = front.flatMap((file) => namedBy(copy, file)).filter((file) => !seen.has(file) && seen.add(file))
  }
  return undefined
}
