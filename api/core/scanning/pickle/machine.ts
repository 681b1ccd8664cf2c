import { plain, unknown, weightOf, type Value } from './values.ts'

const MAX_STACK = 4_000_000
const MAX_MEMO = 1_000_000
/** Items of a tuple and entries of a map that are kept; what is imported counts whether it is kept or not. */
const MAX_KEPT = 64
const MAX_WEIGHT = 1e9

/** The stack, marks and memo of a pickle. Where Python would stop with an error, this continues with an unknown value. */
export class Machine {
  #stack: Value[] = []
  #marks: number[] = []
  readonly #memo = new Map<number | bigint, Value>()
  readonly #fault: (message: string) => void
  /** Copies of containers from the memo. */
  containerGets = 0
  puts = 0
  dups = 0
  heaviest = 1

  constructor(fault: (message: string) => void) {
    this.#fault = fault
  }

  get isOverLimit(): boolean {
    return this.#stack.length > MAX_STACK || this.#memo.size > MAX_MEMO
  }

  push(value: Value): void {
    this.#stack.push(value)
  }

  pop(): Value {
    const value = this.#stack.pop()
    if (value === undefined) this.#fault('The stack is empty.')
    return value ?? unknown
  }

  /** The last `count` values, in the order they came. */
  popMany(count: number): Value[] {
    return Array.from({ length: count }, () => this.pop()).reverse()
  }

  get top(): Value | undefined {
    return this.#stack.at(-1)
  }

  mark(): void {
    this.#marks.push(this.#stack.length)
  }

  /** POP drops a mark where that is the last thing. */
  drop(): void {
    if (this.#marks.at(-1) === this.#stack.length) this.#marks.pop()
    else this.pop()
  }

  dup(): void {
    this.dups++
    this.push(this.top ?? unknown)
  }

  /** All above the last mark. */
  popMarked(): Value[] {
    const mark = this.#marks.pop()
    if (mark === undefined) this.#fault('There is no mark.')
    const from = Math.min(mark ?? 0, this.#stack.length)
    return this.#stack.splice(from)
  }

  get memoSize(): number {
    return this.#memo.size
  }

  put(index: number | bigint): void {
    this.puts++
    if (this.top === undefined) this.#fault('The stack is empty.')
    this.#memo.set(index, this.top ?? unknown)
  }

  get(index: number | bigint): void {
    const value = this.#memo.get(index)
    if (value === undefined) this.#fault(`Nothing was kept under ${index}.`)
    if (value && 'weight' in value && value.weight > 1) this.containerGets++
    this.push(value ?? unknown)
  }

  tuple(items: Value[]): void {
    this.push({ kind: 'tuple', items: items.slice(0, MAX_KEPT), weight: this.#weigh(items) })
  }

  list(items: Value[]): void {
    this.push({ kind: 'list', items: items.slice(0, MAX_KEPT), weight: this.#weigh(items) })
  }

  map(items: Value[]): void {
    const map: Value = { kind: 'map', entries: new Map(), weight: 1 }
    this.push(map)
    this.setItems(items)
  }

  append(items: Value[]): void {
    const list = this.top
    if (list?.kind !== 'list') return
    for (const item of items) if (list.items.length < MAX_KEPT) list.items.push(item)
    list.weight = Math.min(MAX_WEIGHT, list.weight + this.#weigh(items))
    this.#weigh([list])
  }

  /** Keys and values in turn, into the map on top. */
  setItems(items: Value[]): void {
    const map = this.top
    if (map?.kind !== 'map') return
    for (let i = 0; i + 1 < items.length; i += 2) {
      const [key, value] = [items[i], items[i + 1]]
      if (key?.kind === 'text' && key.text !== undefined && map.entries.size < MAX_KEPT)
        map.entries.set(key.text, value ?? plain)
    }
    map.weight = Math.min(MAX_WEIGHT, map.weight + this.#weigh(items))
    this.#weigh([map])
  }

  #weigh(items: Value[]): number {
    let weight = 1
    for (const item of items) weight += weightOf(item)
    weight = Math.min(MAX_WEIGHT, weight)
    if (weight > this.heaviest) this.heaviest = weight
    return weight
  }
}
