import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Env } from '../../core/http/env.ts'
import { closing } from '../../core/http/closing.ts'
import { headerText, logProblem, problemHeaders, toProblem } from '../../core/http/problem-response.ts'
import type { Problem, ProblemCode } from '../../platform/problems/index.ts'
import type { ErrorFrame } from '../../rooms/chunk/index.ts'

const maxMessageLength = 4000
const messageOf = ({ detail, title }: Problem) => (detail ?? title).slice(0, maxMessageLength)

// For hf-xet a 404 of a manifest means "try the older route"; of the repo, the caller may no longer know.
const statuses: Partial<Record<ProblemCode, ContentfulStatusCode>> = { 'repo-not-found': 403 }

/** The CAS endpoints' answer to a failure (chunk-upload.md §5): JSON, and the text once more in a header. */
export function casErrorResponse(c: Context<Env>, error: unknown): Response {
  const problem = toProblem(error)
  logProblem(c, problem)
  const message = messageOf(problem)
  // Bytes that are not what they should be are a bad request there, under whatever name.
  const status = statuses[problem.code] ?? (problem.status === 422 ? 400 : problem.status)
  const headers = { ...problemHeaders(problem), 'X-Error-Message': headerText(message), ...closing(c) }
  return c.json({ error: message, message }, status, headers)
}

/** The same failure as the last line of a stream. */
export function errorFrame(c: Context<Env>, error: unknown): ErrorFrame {
  const problem = toProblem(error)
  logProblem(c, problem)
  return { type: 'error', message: messageOf(problem), retryable: problem.status === 503 }
}
