import type { FeatureType } from '../../../../shared/viewer.ts'
import { json, listOf, MAX_FEATURE_DEPTH, value, type StructType } from '../features/feature.ts'
import type { JsonNode } from './json-scan.ts'

/**
 * The type of JSON values as the library finds it (docs/protocols/datasets.md §4): what has no one type becomes `Json` at
 * the deepest path that differs.
 */
export class JsonType {
  #objects = 0
  #lists = 0
  #numbers = 0
  #strings = 0
  #bools = 0
  #hasFraction = false
  #isAllTimes = true
  /** Keys of the first object, in order; `undefined` once another object has others. */
  #keys: string | undefined
  readonly #fields = new Map<string, JsonType>()
  #items: JsonType | undefined
  readonly #depth: number

  constructor(depth = 0) {
    this.#depth = depth
  }

  /** Takes in a value. Throws for what pyarrow refuses: a key that comes twice in an object. */
  add(node: JsonNode): void {
    switch (node.kind) {
      case 'null':
        return
      case 'bool':
        this.#bools++
        return
      case 'integer':
      case 'fraction':
        this.#numbers++
        if (node.kind === 'fraction') this.#hasFraction = true
        return
      case 'string':
        this.#strings++
        if (this.#isAllTimes && !isTime(node.text)) this.#isAllTimes = false
        return
      case 'list':
        this.#lists++
        if (this.#depth >= MAX_FEATURE_DEPTH) return
        this.#items ??= new JsonType(this.#depth + 1)
        for (const item of node.items) this.#items.add(item)
        return
      case 'object':
        this.#addObject(node.fields)
    }
  }

  #addObject(fields: ReadonlyMap<string, JsonNode>): void {
    const keys = JSON.stringify([...fields.keys()].sort())
    if (this.#objects === 0) this.#keys = keys
    else if (this.#keys !== keys) this.#keys = undefined
    this.#objects++
    if (this.#depth >= MAX_FEATURE_DEPTH) return
    for (const [name, node] of fields) {
      let field = this.#fields.get(name)
      if (!field) this.#fields.set(name, (field = new JsonType(this.#depth + 1)))
      field.add(node)
    }
  }

  /** Columns, of rows: here missing keys are nulls, and do not make a row `Json`. `undefined` where a row is no object. */
  get columns(): { name: string; type: FeatureType }[] | undefined {
    if (this.#lists + this.#numbers + this.#strings + this.#bools > 0) return undefined
    return [...this.#fields].map(([name, field]) => ({ name, type: field.type }))
  }

  get type(): FeatureType {
    const kinds = [this.#objects, this.#lists, this.#numbers, this.#strings, this.#bools]
    if (kinds.filter((count) => count > 0).length > 1) return json
    if (this.#objects > 0) return this.#structType()
    if (this.#lists > 0)
      return this.#depth >= MAX_FEATURE_DEPTH ? json : listOf(this.#items?.type ?? value('null'))
    if (this.#numbers > 0) return value(this.#hasFraction ? 'float64' : 'int64')
    if (this.#strings > 0) return value(this.#isAllTimes ? 'timestamp[s]' : 'string')
    return value(this.#bools > 0 ? 'bool' : 'null')
  }

  #structType(): FeatureType {
    if (this.#keys === undefined || this.#keys === '[]' || this.#depth >= MAX_FEATURE_DEPTH) return json
    const struct: StructType = {}
    for (const [name, field] of this.#fields) struct[name] = field.type
    return struct
  }
}

const time = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d)(?::(\d\d)(?::(\d\d))?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** What pyarrow 26 reads as `timestamp[s]` in JSON. */
function isTime(text: string): boolean {
  const [, year, month, day, hour = 0, minute = 0, second = 0] = (time.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return (
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    Number(hour || 0) < 24 &&
    Number(minute || 0) < 60 &&
    Number(second || 0) < 60
  )
}
