import { ApiProblem } from '../../shared/client.ts'

/** What the server refused a request with that an XMLHttpRequest sent. */
export function problemOf(request: XMLHttpRequest): ApiProblem {
  const headers = new Headers()
  for (const name of ['retry-after', 'x-request-id']) {
    const value = request.getResponseHeader(name)
    if (value) headers.set(name, value)
  }
  return new ApiProblem(request.status, parse(request.responseText), headers)
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}
