import { writeFile } from 'node:fs/promises'
import { nativeRooms } from '../app/app.ts'
import { nativeDocument } from '../surfaces/server/reference.ts'
import { nativeSurface } from '../surfaces/server/frame.ts'

/*
 * `npm run gen`: route definitions → OpenAPI document → `shared/operations.gen.ts`, plain types with no compiler API
 * and no runtime but one table (examples of the reasons: the README's "Typed client").
 */

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
interface Content {
  [mediaType: string]: { schema?: Schema }
}
interface Operation {
  operationId: string
  summary?: string
  description?: string
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}

const key = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

function printObject({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${print(schema)}`,
  )
  if (typeof additionalProperties === 'object') {
    const rest = `Record<string, ${print(additionalProperties)}>`
    return fields.length === 0 ? rest : `{ ${fields.join('; ')} } & ${rest}`
  }
  if (fields.length > 0) return `{ ${fields.join('; ')} }`
  return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>'
}

function printSingle(type: string | undefined, schema: Schema): string {
  if (type === 'object' || schema.properties) return printObject(schema)
  if (type === 'array') return `(${print(schema.items ?? {})})[]`
  if (type === 'integer') return 'number'
  return type ?? 'unknown'
}

/** A schema as a TypeScript type. */
function print(schema: Schema): string {
  if (schema.$ref) return schema.$ref.replace('#/components/schemas/', '')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union) return union.map(print).join(' | ')
  if (schema.allOf) return schema.allOf.map(print).join(' & ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => printSingle(type, schema)).join(' | ')
  return printSingle(schema.type, schema)
}

const jsonOf = (content: Content | undefined) => content?.['application/json']?.schema

function printParameters(operation: Operation, where: 'path' | 'query'): string | undefined {
  const parameters = (operation.parameters ?? []).filter((p) => p.in === where)
  if (parameters.length === 0) return undefined
  const required = where === 'path' || parameters.some((p) => p.required)
  const fields = parameters.map((p) => `${key(p.name)}${p.required ? '' : '?'}: ${print(p.schema)}`)
  return `${where === 'path' ? 'params' : 'query'}${required ? '' : '?'}: { ${fields.join('; ')} }`
}

function printBody({ requestBody }: Operation): string | undefined {
  const schema = jsonOf(requestBody?.content)
  return schema && `body${requestBody?.required ? '' : '?'}: ${print(schema)}`
}

/** Whether the body or the answer is something else than JSON: such an operation has an address, but no method. */
function hasBytes({ requestBody, responses }: Operation): boolean {
  const answers = Object.entries(responses).filter(([status]) => /^[23]/.test(status))
  return [requestBody, ...answers.map(([, response]) => response)].some(
    (side) => side?.content !== undefined && jsonOf(side.content) === undefined,
  )
}

function printOperation(operation: Operation): string {
  const args = [printParameters(operation, 'path'), printParameters(operation, 'query'), printBody(operation)]
  const results = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => jsonOf(response.content))
    .map((schema) => (schema ? print(schema) : 'undefined'))
  const note = operation.summary ?? operation.description
  const result = hasBytes(operation) ? 'Bytes' : [...new Set(results)].join(' | ')
  return [
    ...(note ? [`  /** ${note.replaceAll('*/', '* /')} */`] : []),
    `  ${operation.operationId}: { args: { ${args.filter(Boolean).join('; ')} }; result: ${result} }`,
  ].join('\n')
}

const document = nativeDocument(nativeSurface(nativeRooms)) as unknown as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)
const schemas = Object.entries(document.components.schemas).sort(([a], [b]) => a.localeCompare(b, 'en'))
const text = [
  '// Generated by `npm run gen` from the route definitions of api/. Do not edit.',
  '',
  ...schemas.map(([name, schema]) => `export type ${name} = ${print(schema)}`),
  '',
  '/** Stands for the result of an operation whose body or answer is bytes: it has an address, but no method. */',
  'export interface Bytes { readonly bytes: unique symbol }',
  '',
  '/** Arguments and result of every operation. */',
  'export interface Operations {',
  ...operations.map(({ operation }) => printOperation(operation)),
  '}',
  '',
  '/** Method and path of every operation, relative to the API base. */',
  'export const operations: Record<keyof Operations, readonly [method: string, path: string]> = {',
  ...operations.map(({ path, method, operation }) => `  ${operation.operationId}: ['${method}', '${path}'],`),
  '}',
  '',
].join('\n')
await writeFile(process.argv[2] ?? new URL('../../shared/operations.gen.ts', import.meta.url), text)
