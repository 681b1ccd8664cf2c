import { z } from '@hono/zod-openapi'
import { limits, repoTypePaths } from '../../shared/vocabulary.ts'
import { catalogue, type ProblemCode } from '../problems/index.ts'

export { createRoute, z } from '@hono/zod-openapi'

/** RFC 9457 problem document, media type `application/problem+json` (native-api.md §2). */
export const ProblemDocument = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    instance: z.string(),
    code: z.string(),
    request_id: z.string(),
    errors: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })).optional(),
  })
  .openapi('Problem')

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

const always: ProblemCode[] = [
  'internal',
  'temporarily-unavailable',
  'database-busy',
  'throttled',
  'storage-full',
]

/**
 * The problems an operation may answer, by status, for the OpenAPI document. Handlers throw them instead of returning
 * them, so they are absent from the type of a handler's answer.
 */
export function problems(...codes: ProblemCode[]): Record<never, never> {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of new Set([...codes, ...always])) {
    const { status } = catalogue[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const responses: Record<string, unknown> = {}
  for (const [status, names] of byStatus)
    responses[status] = {
      description: names.map((code) => `\`${code}\`: ${catalogue[code].title}`).join(' · '),
      content: { 'application/problem+json': { schema: ProblemDocument } },
    }
  return responses
}

/** Marks an operation that needs no credentials. */
export const publicOperation = { security: [] }

/** Path parameters of one Repo. */
export const RepoAddress = z.object({
  type: z.enum(repoTypePaths).openapi({ param: { name: 'type', in: 'path' }, example: 'models' }),
  ns: z.string().openapi({ param: { name: 'ns', in: 'path' }, example: 'acme' }),
  name: z.string().openapi({ param: { name: 'name', in: 'path' }, example: 'tiny-bert' }),
})

/** `{type, ns, name}` of a Repo inside bodies. */
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

/** The list envelope: `items` and `next_cursor`, which is `""` on the last page. */
export const listOf = <S extends z.ZodType>(item: S, name: string) =>
  z.object({ items: z.array(item), next_cursor: z.string() }).openapi(name)

/** RFC 3339 time in UTC. */
export const Time = z.iso.datetime()

/** How a Date is written on the wire. */
export const time = (date: Date): string => date.toISOString()

/** Optional time: left out when absent. */
export const optionalTime = (date: Date | null): string | undefined => date?.toISOString()
