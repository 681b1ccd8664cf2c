import type { BaseRequest } from './base-request.ts'
import { hostileSegments, hostileValues } from './hostile.ts'
import { fits, type JsonSchema } from './json-schema.ts'
import type { Operation, Parameter } from './operations.ts'

/** A request with one thing changed in it. */
export interface Spoiled {
  what: string
  request: BaseRequest
  /** Whether the document describes it still, so that it may succeed. */
  fits: boolean
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** What the text of a parameter reads as. */
function valueOf({ type }: JsonSchema, text: string): unknown {
  return type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text
}

function* spoiledParameters(operation: Operation, base: BaseRequest): Generator<Spoiled> {
  for (const [i, { name, in: place, schema, required }] of operation.parameters.entries()) {
    const without = base.query.filter(([key]) => key !== name)
    if (place === 'query' && required)
      yield { what: `query ${name} missing`, request: { ...base, query: without }, fits: false }
    for (const segment of place === 'header' ? headerTexts : hostileSegments(i + operation.id.length))
      yield {
        what: `${place} ${name} ${segment.slice(0, 60)}`,
        request: withParameter(base, { name, in: place }, segment),
        // An empty segment leads elsewhere.
        fits: (place !== 'path' || segment !== '') && fits(schema, valueOf(schema, decoded(segment))),
      }
  }
}

const headerTexts = ['', '*', '"x"', 'W/"x", "y"', '"', 'a'.repeat(5000), 'é']

function withParameter(
  base: BaseRequest,
  { name, in: place }: Pick<Parameter, 'name' | 'in'>,
  text: string,
): BaseRequest {
  if (place === 'path') return { ...base, path: { ...base.path, [name]: text } }
  if (place === 'header') return { ...base, headers: { ...base.headers, [name]: text } }
  return { ...base, query: [...base.query.filter(([key]) => key !== name), [name, text]] }
}

const malformed = [
  '',
  '{',
  '}',
  '"',
  'undefined',
  '{"a":1}}',
  "{'a':1}",

  '\0',
  '['.repeat(20_000),
  `${'['.repeat(20_000)}"\\ud800"${']'.repeat(20_000)}`,
  'é'.slice(0, 1),
  '{"__proto__":{"is_admin":true}}',
]
const mediaTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'json',
  'application/json5',
]

function* spoiledJson(schema: JsonSchema, base: BaseRequest, maxBytes: number): Generator<Spoiled> {
  for (const body of hostileValues(schema, base.body))
    yield {
      what: `body ${JSON.stringify(body)?.slice(0, 200)}`,
      request: { ...base, body },
      fits: fits(schema, body),
    }
  for (const body of malformed)
    yield { what: `text ${body.slice(0, 40)}`, request: { ...base, body }, fits: false }
  for (const type of [...mediaTypes, 'application/octet-stream'])
    yield {
      what: `sent as ${type}`,
      request: { ...base, headers: { ...base.headers, 'Content-Type': type } },
      fits: false,
    }
  const body = { ...(base.body as object), padding: 'x'.repeat(maxBytes) }
  yield { what: 'oversize', request: { ...base, body }, fits: false }
}

function* spoiledBytes(base: BaseRequest): Generator<Spoiled> {
  for (const body of ['', 'x', 'x'.repeat(100_000)])
    yield { what: `${body.length} bytes`, request: { ...base, body }, fits: true }
  for (const type of [...mediaTypes, 'application/json'])
    yield {
      what: `sent as ${type}`,
      request: { ...base, headers: { ...base.headers, 'Content-Type': type } },
      fits: false,
    }
}

/** The request with every hostile value in the place of every parameter and field, one at a time. */
export function* spoiled(operation: Operation, base: BaseRequest, maxBytes: number): Generator<Spoiled> {
  yield* spoiledParameters(operation, base)
  for (const text of [
    '',
    'Bearer',
    'Bearer x',
    'Basic eDp5',
    'Bearer hf_asl_é',
    `Bearer ${'a'.repeat(5000)}`,
  ])
    yield {
      what: `credentials ${text.slice(0, 40)}`,
      request: { ...base, headers: { ...base.headers, Authorization: text } },
      fits: text === '',
    }
  if (operation.body?.contentType === 'application/json')
    yield* spoiledJson(operation.body.schema, base, maxBytes)
  else if (operation.body) yield* spoiledBytes(base)
}
