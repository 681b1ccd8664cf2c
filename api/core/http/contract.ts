import { z } from '@hono/zod-openapi'
import { limits, repoTypePaths } from '../../../shared/vocabulary.ts'

export { z } from '@hono/zod-openapi'
export { createRoute, problems } from './operation.ts'

/** A JSON answer. */
export const json = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

/** An answer without a body. */
export const empty = (description: string) => ({ description })

/** A required JSON request body. Use `z.strictObject`, so that unknown fields are refused. */
export const body = <S extends z.ZodType>(schema: S) => ({
  required: true,
  content: { 'application/json': { schema } },
})

/** Marks an operation that needs no credentials. */
export const publicOperation = { security: [] }

/** A part of an address that is any text, with an example for the reference. */
export const pathParameter = (name: string, example: string) =>
  z.string().openapi({ param: { name, in: 'path' }, example })

/** Path parameters of one repo. */
export const RepoAddress = z.object({
  type: z.enum(repoTypePaths).openapi({ param: { name: 'type', in: 'path' }, example: 'models' }),
  ns: z.string().openapi({ param: { name: 'ns', in: 'path' }, example: 'acme' }),
  name: z.string().openapi({ param: { name: 'name', in: 'path' }, example: 'tiny-bert' }),
})

/** `{type, ns, name}` of a repo inside bodies. */
export const RepoRef = z
  .strictObject({ type: z.enum(['model', 'dataset']), ns: z.string(), name: z.string() })
  .openapi('RepoRef')

const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** Query of a list: an opaque cursor and a page size. */
export const PageQuery = z.object({
  cursor: z.string().optional(),
  limit: wholeNumber(1, limits.pageMax).default(limits.pageDefault),
})

/** A boolean query parameter; accepts what clients send. */
export const flag = z
  .enum(['true', 'false', '1', '0', 'True', 'False'])
  .transform((v) => /^(true|1)$/i.test(v))

/** Text on one line, without control characters. */
export const oneLine = (text: z.ZodString) =>
  text
    .regex(/^\P{Cc}*$/u, 'must be one line without control characters')
    // The same in words that every reader of JSON Schema knows: Unicode's Cc.
    .openapi({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' })

/** The list envelope: `items` and `next_cursor`, which is `""` on the last page. */
export const listOf = <S extends z.ZodType>(item: S, name: string) =>
  z.object({ items: z.array(item), next_cursor: z.string() }).openapi(name)

/** RFC 3339 time in UTC. */
export const Time = z.iso.datetime()

/** How a Date is written on the wire. */
export const time = (date: Date): string => date.toISOString()

/** Optional time: left out when absent. */
export const optionalTime = (date: Date | null): string | undefined => date?.toISOString()
