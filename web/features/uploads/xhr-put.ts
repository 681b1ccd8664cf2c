import { ApiProblem } from '../../../shared/client.ts'
import type { PutPart } from '../../../shared/transfer.ts'
import { transferHeaders } from '../../lib/api.ts'

/** Sends a Part by XMLHttpRequest, the one interface that tells how much of a body has left. A bucket gets no header of ours. */
export const xhrPut: PutPart = (target, body, { signal, onProgress }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const { origin } = new URL(target.url, location.href)
    const isOwn = origin === location.origin
    request.open('PUT', target.url)
    const headers = { ...(isOwn ? transferHeaders() : {}), ...target.headers }
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, body.size)))
    request.addEventListener('error', () =>
      reject(new ApiProblem(0, isOwn ? { title: 'The server cannot be reached' } : keptOut(origin))),
    )
    request.addEventListener('load', () => {
      const etag = request.getResponseHeader('etag')
      if (request.status >= 300) reject(problemOf(request))
      // Sending it again would not make the answer readable.
      else if (etag === null && !isOwn) reject(new ApiProblem(request.status, keptOut(origin)))
      else resolve(etag ?? '')
    })
    signal?.addEventListener('abort', () => {
      request.abort()
      reject(signal.reason)
    })
    if (signal?.aborted) reject(signal.reason)
    else request.send(body)
  })

/** A browser does not tell a bucket that is down from one whose rules forbid the page to ask, or to read its answer. */
const keptOut = (origin: string) => ({
  title: `The storage at ${origin} cannot be used from this page`,
  detail: `The storage at ${origin} cannot be reached, or the CORS rules of its bucket keep this page out. An administrator sets them with: arsenal bucket cors`,
})

function problemOf(request: XMLHttpRequest): ApiProblem {
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
