import type { Fault } from './faults.ts'

type Tree = Record<string, unknown>

/** The unchecked configuration while its sources are laid over each other; remembers where each value came from. */
export class Raw {
  readonly tree: Tree = Object.create(null) as Tree
  readonly faults: Fault[] = []
  readonly #sources = new Map<string, string>()
  readonly #defaults = new Set<string>()

  /** Lays a whole tree over what is there. Empty values (`null`) count as left out. */
  merge(tree: Tree, source: string, path: string[] = []): void {
    for (const [name, value] of Object.entries(tree)) {
      if (value === null || value === undefined) continue
      if (isTree(value)) {
        this.#branch([...path, name])
        this.merge(value, source, [...path, name])
      } else this.set([...path, name], value, source)
    }
  }

  /** Sets one value; where a scalar stands in place of a section the schema reports that instead. */
  set(path: string[], value: unknown, source: string): void {
    const parent = this.#branch(path.slice(0, -1))
    if (!parent) return
    parent[path.at(-1) ?? ''] = value
    this.#sources.set(path.join('.'), source)
  }

  /** Sets one value unless any source did. */
  setDefault(path: string[], value: unknown, source: string): void {
    if (this.get(path) !== undefined) return
    this.set(path, value, source)
    this.#defaults.add(path.join('.'))
  }

  /** What set a key, or one below it; `undefined` where only defaults did. */
  sourceWithin(name: string): string | undefined {
    const isWithin = (key: string) => key === name || key.startsWith(`${name}.`)
    return [...this.#sources].find(([key]) => isWithin(key) && !this.#defaults.has(key))?.[1]
  }

  get(path: string[]): unknown {
    return path.reduce<unknown>((value, name) => (isTree(value) ? value[name] : undefined), this.tree)
  }

  /** What set each key, by its name. */
  sources(): Record<string, string> {
    return Object.fromEntries(this.#sources)
  }

  /** The source of the value at a path, or of the nearest thing that holds it. */
  source(path: string[]): string {
    return sourceAt(this.sources(), path) ?? 'not set'
  }

  fault(key: string, source: string, message: string): void {
    this.faults.push({ key, source, message })
  }

  #branch(path: string[]): Tree | undefined {
    let tree: Tree = this.tree
    for (const name of path) {
      tree[name] ??= Object.create(null) as Tree
      const next = tree[name]
      if (!isTree(next)) return undefined
      tree = next
    }
    return tree
  }
}

/** What set the value at a path: its own source, that of the nearest thing that holds it, or of a part of it. */
export function sourceAt(sources: Readonly<Record<string, string>>, path: string[]): string | undefined {
  for (let length = path.length; length > 0; length--) {
    const source = sources[path.slice(0, length).join('.')]
    if (source !== undefined) return source
  }
  const below = Object.keys(sources).find((key) => key.startsWith(`${path.join('.')}.`))
  return below === undefined ? undefined : sources[below]
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
