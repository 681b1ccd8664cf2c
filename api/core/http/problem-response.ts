import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { readProblem } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { StoreError, storeProblem } from '../../stores/storage/index.ts'
import type { Env } from './env.ts'

/** What was thrown, as a Problem; anything unforeseen is `internal` and must be logged by the caller. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof StoreError) return storeProblem(error)
  if (error instanceof HTTPException) {
    if (error.status === 400) return new Problem('invalid-request', { detail: error.message, cause: error })
    if (error.status === 413) return new Problem('body-too-large', { cause: error })
    if (error.status === 415) return new Problem('unsupported-media-type', { cause: error })
  }
  return readProblem(error) ?? new Problem('internal', { cause: error })
}

/** Logs what is our fault: 5xx with their cause. */
export function logProblem(c: Context<Env>, problem: Problem): void {
  const { log, origin } = c.var.ctx
  if (problem.status >= 500)
    log.error(
      { request_id: origin.requestId, err: problem.cause ?? problem, code: problem.code },
      'request failed',
    )
}

const challenges: Partial<Record<Problem['code'], string>> = {
  unauthenticated: 'Bearer realm="arsenal"',
  'bad-credentials': 'Bearer realm="arsenal", error="invalid_token"',
  'token-expired': 'Bearer realm="arsenal", error="invalid_token", error_description="expired"',
  'session-idle': 'Bearer realm="arsenal", error="invalid_token", error_description="expired"',
}

/** Headers that go with a problem on any surface. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const headers: Record<string, string> = {}
  if (problem.retryAfterS !== undefined) headers['Retry-After'] = String(Math.ceil(problem.retryAfterS))
  // What is left of the body would be taken for the next request.
  if (problem.code === 'request-timeout') headers['Connection'] = 'close'
  const challenge = challenges[problem.code]
  if (challenge) headers['WWW-Authenticate'] = challenge
  return headers
}

/** Text as a header's value: one line of ASCII; everything else would break the answer it explains. */
export const headerText = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, 1000)

/** A problem as its document (RFC 9457), for the address `instance`. */
export function problemDocument(
  problem: Problem,
  { publicUrl, instance, requestId }: { publicUrl: string; instance: string; requestId: string },
): string {
  return JSON.stringify({
    type: `${publicUrl}/problems/${problem.code}`,
    title: problem.title,
    status: problem.status,
    ...(problem.detail === undefined ? {} : { detail: problem.detail }),
    instance,
    code: problem.code,
    request_id: requestId,
    ...(problem.errors ? { errors: problem.errors } : {}),
    ...problem.members,
  })
}

/** The native surface's answer to a failure: RFC 9457 problem details. */
export function problemResponse(c: Context<Env>, error: unknown): Response {
  const problem = toProblem(error)
  logProblem(c, problem)
  const { config, origin } = c.var.ctx
  const at = { publicUrl: config.server.public_url, instance: c.req.path, requestId: origin.requestId }
  return c.body(problemDocument(problem, at), problem.status, {
    'Content-Type': 'application/problem+json',
    ...problemHeaders(problem),
  })
}
