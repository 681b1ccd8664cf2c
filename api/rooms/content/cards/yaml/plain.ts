import { isAlias, isMap, isScalar, isSeq, type Alias, type ParsedNode, type YAMLMap } from 'yaml'

/** Deepest nesting of collections, aliases followed (indexing.md §4). */
export const MAX_DEPTH = 50
const MAX_ALIASES = 100
/** Most values and characters, those of aliases counted each time: what is stored and sent has no aliases. */
const MAX_SIZE = 1024 * 1024

/** YAML that is refused for what it says. With `offset` it is wrong at that place, else unsafe as a whole. */
export class Refused extends Error {
  readonly offset: number | undefined

  constructor(message: string, offset?: number) {
    super(message)
    this.offset = offset
  }
}

export const tooDeep = () => new Refused(`it is nested more than ${MAX_DEPTH} deep`)

/** What an anchor names. */
interface Anchored {
  value: unknown
  size: number
  height: number
}

type Node = ParsedNode | Alias | null

/**
 * Makes plain values of a document's nodes, in one pass, once. The library's own way looks through the whole document for
 * each alias. Values hold only what JSON and both databases can hold: Postgres refuses NUL and lone surrogates.
 */
export class Plain {
  readonly #anchors = new Map<string, Anchored | 'open'>()
  #aliases = 0
  #size = 0
  /** The deepest level since the innermost open anchor. */
  #deepest = 0

  /** Throws `Refused`. */
  of(node: Node, depth = 0): unknown {
    this.#reach(depth)
    this.#spend(1)
    if (isAlias(node)) return this.#aliased(node, depth)
    const anchor = node?.anchor
    if (anchor === undefined) return this.#content(node, depth)
    const [sizeBefore, deepestBefore] = [this.#size, this.#deepest]
    this.#deepest = depth
    this.#anchors.set(anchor, 'open')
    const value = this.#content(node, depth)
    this.#anchors.set(anchor, { value, size: this.#size - sizeBefore, height: this.#deepest - depth })
    this.#deepest = Math.max(this.#deepest, deepestBefore)
    return value
  }

  #aliased(alias: Alias, depth: number): unknown {
    const at = alias.range?.[0] ?? 0
    if (++this.#aliases > MAX_ALIASES) throw new Refused(`it has more than ${MAX_ALIASES} aliases`)
    const anchored = this.#anchors.get(alias.source)
    if (anchored === undefined)
      throw new Refused(`No anchor before this alias is called ${alias.source}.`, at)
    if (anchored === 'open') throw new Refused('An alias must not stand inside of what it names.', at)
    this.#reach(depth + anchored.height)
    this.#spend(anchored.size)
    return anchored.value
  }

  #content(node: Exclude<Node, Alias>, depth: number): unknown {
    if (isMap(node)) return this.#map(node, depth)
    if (isSeq(node)) return node.items.map((item) => this.of(item as Node, depth + 1))
    return isScalar(node) ? this.#scalar(node.value, node.source) : null
  }

  #map({ items }: YAMLMap, depth: number): unknown {
    const entries = new Map<string, unknown>()
    for (const pair of items) {
      const node = pair.key as Node
      const at = node?.range?.[0] ?? 0
      const key = this.of(node, depth + 1)
      // Python's reader refuses these as well: they are not hashable.
      if (typeof key === 'object' && key !== null) throw new Refused('A key must be a single value.', at)
      const name = key === null ? '' : String(key)
      if (entries.has(name)) throw new Refused('Map keys must be unique', at)
      entries.set(name, this.of(pair.value as Node, depth + 1))
    }
    return Object.fromEntries(entries)
  }

  #scalar(value: unknown, source = ''): unknown {
    if (typeof value === 'boolean' || value === null) return value
    if (typeof value === 'number' && Number.isFinite(value)) return value
    const text = clean(typeof value === 'string' ? value : typeof value === 'number' ? String(value) : source)
    this.#spend(text.length)
    return text
  }

  #reach(depth: number): void {
    if (depth > MAX_DEPTH) throw tooDeep()
    this.#deepest = Math.max(this.#deepest, depth)
  }

  #spend(size: number): void {
    this.#size += size
    if (this.#size > MAX_SIZE) throw new Refused('its aliases repeat too much')
  }
}

// Without NUL, and without the bidirectional controls that would show a tag in another order than it is stored in.
const LEFT_OUT = /[\0\u202a-\u202e\u2066-\u2069]/g

function clean(text: string): string {
  return text.replaceAll(LEFT_OUT, '').replace(/\p{Surrogate}/gu, '\uFFFD')
}
