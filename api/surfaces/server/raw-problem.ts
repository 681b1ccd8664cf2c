import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../../platform/problems/index.ts'
import { problemDocument, problemHeaders } from '../../core/http/problem-response.ts'

/** The headers and body of an answer to what never became a request. */
function parts(problem: Problem, publicUrl: string): { headers: Record<string, string>; body: string } {
  const requestId = randomUUID()
  const body = problemDocument(problem, { publicUrl, instance: '/', requestId })
  const headers = {
    'Content-Type': 'application/problem+json',
    'X-Request-Id': requestId,
    ...problemHeaders(problem),
    Connection: 'close',
  }
  return { headers, body }
}

/** A problem as a whole answer, for a connection that no request is read from. */
export function rawProblem(problem: Problem, publicUrl: string): string {
  const { headers, body } = parts(problem, publicUrl)
  const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, '', body].join('\r\n')
}

/** As `rawProblem`, for a request that Node has read and the application must not. */
export function bareProblem(problem: Problem, publicUrl: string): Response {
  const { headers, body } = parts(problem, publicUrl)
  return new Response(body, { status: problem.status, headers })
}

/** What Node's parser refuses, by the code of its error. */
function refused(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('headers-too-large', {
      detail: 'The address and the headers may have 16 KiB together. Send fewer or shorter ones.',
    })
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new Problem('body-too-large', { detail: 'The chunks of the body have extensions above 16 KiB.' })
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request-timeout', { detail: 'The headers did not arrive in time. Send them again.' })
  return new Problem('invalid-request', { detail: 'The request is not well-formed HTTP/1.1.' })
}

/** Answers on a connection whose request Node could not read, unless an answer has begun there; then closes it. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex, publicUrl: string): void {
  const answer: unknown = Reflect.get(socket, '_httpMessage')
  const hasBegun =
    typeof answer === 'object' && answer !== null && Reflect.get(answer, 'headersSent') === true
  if (!socket.writable || hasBegun || error.code === 'ECONNRESET') return void socket.destroy()
  socket.end(rawProblem(refused(error.code), publicUrl), () => socket.destroy())
}
