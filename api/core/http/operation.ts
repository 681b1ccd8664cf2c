import { createRoute as define, type RouteConfig, z } from '@hono/zod-openapi'
import { catalogue, type ProblemCode } from '../../platform/problems/index.ts'
import { deprecated, type Deprecation } from './deprecated.ts'
import { jsonBody, type OperationLimit } from './json-body.ts'

/** RFC 9457 problem document, media type `application/problem+json` (native-api.md §2). */
const ProblemDocument = z
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

/** Where the document names the codes behind a status. */
const codesMember = 'x-problem-codes'

/**
 * The problems an operation may answer of its own, by status, for the OpenAPI document; `createRoute` adds those that
 * follow from its form. Handlers throw them instead of returning them, so they are absent from the type of an answer.
 */
export function problems(...codes: ProblemCode[]): Record<never, never> {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of new Set(codes)) {
    const { status } = catalogue[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const responses: Record<string, unknown> = {}
  for (const [status, names] of byStatus)
    responses[status] = {
      description: names.map((code) => `\`${code}\`: ${catalogue[code].title}`).join(' · '),
      content: { 'application/problem+json': { schema: ProblemDocument } },
      [codesMember]: names,
    }
  return responses
}

type Route = Omit<RouteConfig, 'path'> & { path: string }

const always: ProblemCode[] = [
  'internal',
  'temporarily-unavailable',
  'database-busy',
  'throttled',
  'storage-full',
  // Whatever credentials come are checked, also where none are needed.
  'bad-credentials',
  'token-expired',
  'session-idle',
]
const repoPath = '/repos/{type}/{ns}/{name}'
const moved = {
  307: {
    description: 'The repo has another address now: the same request at `Location`',
    headers: z.object({ Location: z.string() }),
  },
}

const hasJsonBody = ({ request }: Route) => request?.body?.content['application/json'] !== undefined

/** What can go wrong by the form of an operation alone. */
function usualProblems(route: Route): ProblemCode[] {
  const { method, path, request = {}, security } = route
  const codes = [...always]
  if (security?.length !== 0) codes.push('unauthenticated', 'insufficient-scope')
  if (path.startsWith('/admin/')) codes.push('second-factor-required')
  if (method !== 'get') codes.push('csrf-token-invalid')
  if (path.includes('{')) codes.push('not-found')
  if (path.startsWith(repoPath)) codes.push('repo-not-found')
  if (request.query || request.headers) codes.push('validation-failed')
  if (request.query && 'cursor' in (request.query as z.ZodObject).shape) codes.push('invalid-cursor')
  if (request.body)
    codes.push('invalid-request', 'request-timeout', 'body-too-large', 'unsupported-media-type')
  if (hasJsonBody(route)) codes.push('validation-failed')
  return codes
}

function declaredCodes(responses: Route['responses']): ProblemCode[] {
  return Object.values(responses).flatMap(
    (response) => (response as Record<string, ProblemCode[]>)[codesMember] ?? [],
  )
}

/**
 * An operation of the native surface, with the problems and the redirect that its form brings with it. Its JSON body is
 * read within its limit; one that needs no credentials takes small bodies alone. `deprecation` says in the document and in
 * each answer that it will go.
 */
export function createRoute<
  P extends string,
  R extends Omit<RouteConfig, 'path'> & { path: P } & OperationLimit & { deprecation?: Deprecation },
>(operation: R): ReturnType<typeof define<P, R>> {
  const { smallBody, largeBody, deprecation, ...rest } = operation
  const route = rest as Route
  const codes = [...declaredCodes(route.responses), ...usualProblems(route)]
  const responses = {
    ...route.responses,
    ...(route.path.startsWith(repoPath) ? moved : {}),
    ...problems(...codes),
  }
  const isSmall = smallBody ?? route.security?.length === 0
  const limit: OperationLimit = { ...(isSmall && { smallBody: true }), ...(largeBody && { largeBody }) }
  const isOptional = route.request?.body?.required === false
  const json = route.request?.body?.content['application/json']
  const schema = json && 'schema' in json ? json.schema : undefined
  const middleware = [
    ...(deprecation ? [deprecated(deprecation)] : []),
    ...(hasJsonBody(route) ? [jsonBody(limit, { isOptional, schema })] : []),
  ]
  const marks = { ...(deprecation && { deprecated: true }), ...(middleware.length > 0 && { middleware }) }
  return define<P, R>({ ...route, ...marks, responses } as unknown as R)
}
