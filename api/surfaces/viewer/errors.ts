import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Env } from '../../core/http/env.ts'
import { headerText, logProblem, problemHeaders, toProblem } from '../../core/http/problem-response.ts'
import { ViewerFault } from '../../rooms/datasets/index.ts'

/** Errors are kept shorter than answers, as the public viewer says it (dataset-viewer.md §1). */
const ERROR_AGE_S = 10

/** The viewer's answer to a failure: `X-Error-Code`, and a body of one member. */
export function viewerErrorResponse(c: Context<Env>, error: unknown): Response {
  if (error instanceof ViewerFault) {
    const { code, status, message, revision } = error
    const headers: Record<string, string> = { 'X-Error-Code': code }
    if (revision !== undefined) headers['X-Revision'] = revision
    return send(c, status, message, headers)
  }
  const problem = toProblem(error)
  logProblem(c, problem)
  const code = problem.status === 401 ? 'ExternalUnauthenticatedError' : 'UnexpectedApiError'
  return send(c, problem.status, problem.detail ?? problem.title, {
    'X-Error-Code': code,
    ...problemHeaders(problem),
  })
}

function send(c: Context<Env>, status: number, error: string, headers: Record<string, string>): Response {
  const isPrivate = status === 401 || c.var.ctx.actor.kind !== 'anonymous'
  return c.body(JSON.stringify({ error }), status as ContentfulStatusCode, {
    'Content-Type': 'application/json',
    'X-Error-Message': headerText(error),
    'Cache-Control': isPrivate ? 'private, no-store' : `max-age=${ERROR_AGE_S}`,
    ...headers,
  })
}
