import type { Operation } from './operations.ts'

/** Words of ours that no caller may read. */
const internals =
  /\bSQLITE_|\bpg_|syntax error|node_modules|\.ts:\d|\/tmp\/|at async |Cannot read prop|undefined is not/i

/** What is wrong with an answer to a request that the document describes (`isFit`) or does not; nothing when it is fine. */
export function faultOf(
  operation: Operation,
  answer: Response,
  text: string,
  isFit: boolean,
): string | undefined {
  const { status, headers } = answer
  if (status < 400) {
    if (!operation.successes.includes(status)) return `${status} is not declared`
    return isFit ? undefined : `${status} for what the document does not describe`
  }
  if (!headers.get('Content-Type')?.startsWith('application/problem+json'))
    return `${status} is no problem document: ${text.slice(0, 200)}`
  const {
    code,
    status: stated,
    request_id,
    type,
    title,
    instance,
  } = JSON.parse(text) as Record<string, unknown>
  const problem = `${status} ${String(code)}`
  // The upstream of these tests does not answer: that is its fault, and the last thing asked.
  if (status >= 500 && code !== 'upstream-unavailable') return problem
  if (!operation.problems.has(problem)) return `${problem} is not declared: ${text.slice(0, 300)}`
  if (stated !== status || request_id !== headers.get('X-Request-Id')) return `members do not agree: ${text}`
  if (!String(type).endsWith(`/problems/${String(code)}`) || !title || !instance) return `incomplete: ${text}`
  return internals.test(text.replace(String(instance), ''))
    ? `tells of our insides: ${text.slice(0, 300)}`
    : undefined
}
