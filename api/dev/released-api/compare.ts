import type { Content, Schema } from '../openapi.ts'

/*
 * What a change of the OpenAPI document breaks for callers of the released one. Callers send what the old document admits
 * and read what it promises.
 */

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema?: Schema
}
interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** `sent`: callers write it, so less may not be admitted. `read`: callers rely on it, so less may not be promised. */
type Direction = 'sent' | 'read'

const jsonOf = (content: Content | undefined) => content?.['application/json']?.schema

/** Each break, as one line. */
export function breaks(released: Document, now: Document): string[] {
  const found: string[] = []
  for (const [path, methods] of Object.entries(released.paths))
    for (const [method, before] of Object.entries(methods)) {
      const after = now.paths[path]?.[method]
      const name = `${before.operationId} (${method.toUpperCase()} ${path})`
      if (!after) found.push(`${name}: is gone`)
      else found.push(...new Comparison(released, now, name).operation(before, after))
    }
  return found
}

class Comparison {
  readonly #released: Document
  readonly #now: Document
  readonly #name: string
  readonly #found: string[] = []
  /** Pairs under comparison: schemas may name themselves. */
  readonly #seen = new Set<string>()

  constructor(released: Document, now: Document, name: string) {
    this.#released = released
    this.#now = now
    this.#name = name
  }

  operation(before: Operation, after: Operation): string[] {
    if (before.operationId !== after.operationId) this.#say(`is called ${after.operationId} now`)
    this.#parameters(before.parameters ?? [], after.parameters ?? [])
    if (after.requestBody?.required && !before.requestBody?.required) this.#say('needs a body now')
    this.#schemas(jsonOf(before.requestBody?.content), jsonOf(after.requestBody?.content), 'body', 'sent')
    for (const [status, { content }] of Object.entries(before.responses)) {
      if (!status.startsWith('2')) continue
      const answer = after.responses[status]
      if (answer) this.#schemas(jsonOf(content), jsonOf(answer.content), `answer ${status}`, 'read')
      else this.#say(`answers ${status} no more`)
    }
    return this.#found
  }

  #parameters(before: Parameter[], after: Parameter[]): void {
    const idOf = (one: Parameter) => `${one.in} parameter ${one.name}`
    const now = new Map(after.map((one) => [idOf(one), one]))
    const old = new Set(before.map(idOf))
    for (const one of before) {
      const same = now.get(idOf(one))
      if (!same) this.#say(`${idOf(one)} is gone`)
      else {
        if (same.required && !one.required) this.#say(`${idOf(one)} is required now`)
        this.#schemas(one.schema, same.schema, idOf(one), 'sent')
      }
    }
    for (const one of after)
      if (one.required && !old.has(idOf(one))) this.#say(`${idOf(one)} is new and required`)
  }

  #schemas(before: Schema | undefined, after: Schema | undefined, where: string, way: Direction): void {
    if (!before) return
    if (!after) return this.#say(`${where}: has no JSON now`)
    const pair = `${way} ${before.$ref ?? where} ${after.$ref ?? where}`
    if (before.$ref || after.$ref) {
      if (this.#seen.has(pair)) return
      this.#seen.add(pair)
    }
    const [old, fresh] = [resolve(this.#released, before), resolve(this.#now, after)]
    this.#types(old, fresh, where, way)
    this.#values(old, fresh, where, way)
    this.#properties(old, fresh, where, way)
    if (old.items && fresh.items) this.#schemas(old.items, fresh.items, `${where}[]`, way)
    for (const kind of ['anyOf', 'oneOf', 'allOf'] as const)
      for (const [i, part] of (old[kind] ?? []).entries())
        if (old[kind]?.length === fresh[kind]?.length) this.#schemas(part, fresh[kind]?.[i], where, way)
  }

  #types(old: Schema, fresh: Schema, where: string, way: Direction): void {
    const [were, are] = [typesOf(old), typesOf(fresh)]
    if (were.length === 0 || are.length === 0) return
    const lost =
      way === 'sent' ? were.filter((type) => !admits(are, type)) : are.filter((type) => !admits(were, type))
    if (lost.length > 0) this.#say(`${where}: was ${were.join(' or ')}, is ${are.join(' or ')}`)
  }

  /** A value that is new in an answer breaks no caller that expects new ones; a lost one is a break. */
  #values(old: Schema, fresh: Schema, where: string, way: Direction): void {
    if (way !== 'sent' || !old.enum || !fresh.enum) return
    for (const value of old.enum)
      if (!fresh.enum.includes(value)) this.#say(`${where}: takes ${JSON.stringify(value)} no more`)
  }

  #properties(old: Schema, fresh: Schema, where: string, way: Direction): void {
    const [were, are] = [old.properties ?? {}, fresh.properties ?? {}]
    if (!old.properties) return
    for (const [name, schema] of Object.entries(were)) {
      const inside = `${where}.${name}`
      const same = are[name]
      if (!same) this.#say(`${inside}: is gone`)
      else this.#schemas(schema, same, inside, way)
      if (way === 'read' && same && old.required?.includes(name) && !fresh.required?.includes(name))
        this.#say(`${inside}: may be absent now`)
    }
    if (way === 'sent')
      for (const name of fresh.required ?? [])
        if (!old.required?.includes(name)) this.#say(`${where}.${name}: is required now`)
  }

  #say(what: string): void {
    this.#found.push(`${this.#name}: ${what}`)
  }
}

function resolve(document: Document, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.replace('#/components/schemas/', '')
  return document.components?.schemas?.[name] ?? {}
}

const typesOf = ({ type, const: value }: Schema): string[] =>
  type === undefined ? (value === undefined ? [] : [typeof value]) : [type].flat()

/** Every integer is a number. */
const admits = (types: string[], type: string) =>
  types.includes(type) || (type === 'integer' && types.includes('number'))
