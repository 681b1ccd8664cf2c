import type { App } from '../../../core/http/env.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import type { JsonSchema } from './json-schema.ts'

/** A parameter of an operation, as the OpenAPI document declares it. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: JsonSchema
}

/** An operation of the native surface, as the OpenAPI document declares it. */
export interface Operation {
  id: string
  method: string
  /** With `{parameters}`, relative to `nativeBase`. */
  path: string
  parameters: Parameter[]
  body?: { contentType: string; schema: JsonSchema }
  /** Statuses that are no problem. */
  successes: number[]
  /** Declared problems, as `404 repo-not-found`. */
  problems: Set<string>
}

interface Document {
  paths: Record<string, Record<string, Declared>>
  components: { schemas: Record<string, JsonSchema> }
}

interface Declared {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { 'x-problem-codes'?: string[] }>
}

/** Puts what `$ref` names in its place; no request body of ours names itself. */
function resolved(schema: JsonSchema, known: Document['components']['schemas']): JsonSchema {
  const text = JSON.stringify(schema, (_, value: unknown) => {
    const name = (value as { $ref?: string } | null)?.$ref?.split('/').at(-1)
    return name === undefined ? value : resolved(known[name] ?? {}, known)
  })
  return JSON.parse(text) as JsonSchema
}

function operation(
  method: string,
  path: string,
  declared: Declared,
  { schemas }: Document['components'],
): Operation {
  const { operationId, parameters = [], requestBody, responses } = declared
  const [[contentType = '', content] = []] = Object.entries(requestBody?.content ?? {})
  const statuses = Object.entries(responses)
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    parameters: parameters.map((parameter) => ({
      ...parameter,
      schema: resolved(parameter.schema, schemas),
    })),
    ...(content ? { body: { contentType, schema: resolved(content.schema, schemas) } } : {}),
    successes: statuses.flatMap(([status, answer]) => (answer['x-problem-codes'] ? [] : [Number(status)])),
    problems: new Set(
      statuses.flatMap(([status, answer]) =>
        (answer['x-problem-codes'] ?? []).map((code) => `${status} ${code}`),
      ),
    ),
  }
}

/** Every operation of the OpenAPI document that a running app serves. */
export async function operationsOf(app: App): Promise<Operation[]> {
  const answer = await app.request(`${nativeBase}/openapi.json`)
  return operationsIn(await answer.json())
}

/** Every operation of an OpenAPI document. */
export function operationsIn(document: unknown): Operation[] {
  const { paths, components } = JSON.parse(JSON.stringify(document)) as Document
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, declared]) => operation(method, path, declared, components)),
  )
}
