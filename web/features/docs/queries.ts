import { queryOptions } from '@tanstack/react-query'
import { apiBase } from '../../../shared/client.ts'
import { download } from '../../../shared/transfer.ts'

export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
}

type Content = Record<string, { schema?: Schema }>

export interface ApiOperation {
  operationId: string
  tags?: string[]
  summary?: string
  description?: string
  security?: unknown[]
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Content }
  responses: Record<string, { description?: string; content?: Content }>
}

export interface ApiDocument {
  info: { title: string; version: string; description?: string }
  servers?: { url: string }[]
  paths: Record<string, Record<string, ApiOperation>>
  components: { schemas: Record<string, Schema> }
}

/** The server's own description of its API. */
export const apiDocumentQuery = queryOptions({
  queryKey: ['docs', 'api'],
  staleTime: Infinity,
  queryFn: async ({ signal }) =>
    (await (await download(`${apiBase}/openapi.json`, { signal })).json()) as ApiDocument,
})
