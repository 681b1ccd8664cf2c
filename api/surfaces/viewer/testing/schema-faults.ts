/** A schema of OpenAPI 3.1, as far as the public document of the viewer uses it. */
export interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  const?: unknown
  format?: string
  nullable?: boolean
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  description?: string
  example?: unknown
}

export interface Rules {
  schemas: Record<string, Schema>
  /** Looks at the schemas of these names in place of the document; `undefined` leaves it to the document. */
  instead: (name: string, value: unknown) => boolean | undefined
}

const known = new Set(
  '$ref type enum const format nullable required properties additionalProperties items oneOf anyOf description example'.split(
    ' ',
  ),
)

/** What of a value is not as its schema says; each fault begins with its place. */
export function schemaFaults(value: unknown, schema: Schema, rules: Rules, at = '$'): string[] {
  const odd = Object.keys(schema).find((key) => !known.has(key))
  if (odd !== undefined) throw new Error(`the keyword ${odd} is not looked at`)
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    const verdict = rules.instead(name, value)
    if (verdict !== undefined) return verdict ? [] : [`${at} is no ${name}, as real servers have it`]
    const found = rules.schemas[name]
    if (!found) throw new Error(`there is no schema ${name}`)
    return schemaFaults(value, found, rules, at)
  }
  if (value === null && schema.nullable === true) return []
  return [
    ...ofType(value, schema, at),
    ...ofChoice(value, schema, rules, at),
    ...ofMembers(value, schema, rules, at),
  ]
}

function ofType(value: unknown, { type, enum: list, const: only, format }: Schema, at: string): string[] {
  const faults: string[] = []
  if (type !== undefined && !isOf(type, value)) faults.push(`${at} is ${JSON.stringify(value)}, no ${type}`)
  if (list && !list.includes(value))
    faults.push(`${at} is ${JSON.stringify(value)}, none of ${list.join(', ')}`)
  if (only !== undefined && value !== only)
    faults.push(`${at} is ${JSON.stringify(value)}, not ${String(only)}`)
  if (format === 'uri' && !URL.canParse(String(value))) faults.push(`${at} is no address`)
  return faults
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

function ofChoice(value: unknown, { oneOf, anyOf }: Schema, rules: Rules, at: string): string[] {
  const fitting = (list: Schema[]) =>
    list.filter((one) => schemaFaults(value, one, rules, at).length === 0).length
  if (oneOf && fitting(oneOf) !== 1)
    return [`${at} fits ${fitting(oneOf)} of the choices: ${JSON.stringify(value)}`]
  if (anyOf && fitting(anyOf) === 0) return [`${at} fits none of the choices: ${JSON.stringify(value)}`]
  return []
}

function ofMembers(value: unknown, schema: Schema, rules: Rules, at: string): string[] {
  const { required = [], properties = {}, additionalProperties, items } = schema
  if (Array.isArray(value))
    return items ? value.flatMap((item, i) => schemaFaults(item, items, rules, `${at}[${i}]`)) : []
  if (typeof value !== 'object' || value === null) return []
  return [
    ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at} lacks ${name}`),
    ...Object.entries(value).flatMap(([name, member]) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
      return own ? schemaFaults(member, own, rules, `${at}.${name}`) : []
    }),
  ]
}
