type TypeName = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'

/** The part of JSON Schema that the OpenAPI document is written in. */
export interface JsonSchema {
  type?: TypeName | TypeName[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

// `discriminator` only says which member of `oneOf` a value is meant for.
const understood = new Set(
  (
    'type properties required additionalProperties items minItems maxItems minLength maxLength pattern format ' +
    'minimum maximum enum anyOf oneOf allOf discriminator description example default title'
  ).split(' '),
)

const formats: Record<string, RegExp> = {
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^https?:\/\/./,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/,
  binary: /[^]*/,
}

function within(value: number, least = -Infinity, most = Infinity): boolean {
  return value >= least && value <= most
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOfType(type: JsonSchema['type'], value: unknown): boolean {
  if (Array.isArray(type)) return type.some((one) => isOfType(one, value))
  if (type === 'null') return value === null
  if (type === 'object') return isObject(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  return type === undefined || typeof value === type
}

function fitsText(schema: JsonSchema, text: string): boolean {
  const format = schema.format === undefined ? undefined : formats[schema.format]
  if (schema.format !== undefined && !format) throw new Error(`unknown format ${schema.format}`)
  return (
    within(text.length, schema.minLength, schema.maxLength) &&
    (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text)) &&
    (format === undefined || format.test(text))
  )
}

function fitsObject(schema: JsonSchema, value: Record<string, unknown>): boolean {
  const { properties = {}, required = [], additionalProperties: more = true } = schema
  return (
    required.every((name) => name in value) &&
    Object.entries(value).every(([name, member]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (known) return fits(known, member)
      return typeof more === 'boolean' ? more : fits(more, member)
    })
  )
}

/** Whether a value is one that the schema describes. A keyword this does not know is an error, never a pass. */
export function fits(schema: JsonSchema, value: unknown): boolean {
  for (const word of Object.keys(schema))
    if (!understood.has(word) && !word.startsWith('x-')) throw new Error(`unknown keyword ${word}`)
  const { anyOf, oneOf, allOf, items } = schema
  if (!isOfType(schema.type, value)) return false
  if (schema.enum && !schema.enum.includes(value)) return false
  if (anyOf && !anyOf.some((one) => fits(one, value))) return false
  if (oneOf && oneOf.filter((one) => fits(one, value)).length !== 1) return false
  if (allOf && !allOf.every((one) => fits(one, value))) return false
  if (typeof value === 'string') return fitsText(schema, value)
  if (typeof value === 'number') return within(value, schema.minimum, schema.maximum)
  if (Array.isArray(value))
    return (
      within(value.length, schema.minItems, schema.maxItems) &&
      (!items || value.every((item) => fits(items, item)))
    )
  return isObject(value) ? fitsObject(schema, value) : true
}
