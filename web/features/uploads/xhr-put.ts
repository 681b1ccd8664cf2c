import { ApiProblem } from '../../../shared/client.ts'
import type { PutPart } from '../../../shared/transfer.ts'
import { transferHeaders } from '../../lib/api.ts'

/** Sends a Part by XMLHttpRequest, the one interface that tells how much of a body has left. */
export const xhrPut: PutPart = (target, body, { signal, onProgress }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const isOwn = new URL(target.url, location.href).origin === location.origin
    request.open('PUT', target.url)
    const headers = { ...(isOwn ? transferHeaders() : {}), ...target.headers }
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, body.size)))
    request.addEventListener('error', () =>
      reject(new ApiProblem(0, { title: 'The server cannot be reached' })),
    )
    request.addEventListener('load', () => {
      if (request.status < 300) resolve(request.getResponseHeader('etag') ?? '')
      else reject(problemOf(request))
    })
    signal?.addEventListener('abort', () => {
      request.abort()
      reject(signal.reason)
    })
    if (signal?.aborted) reject(signal.reason)
    else request.send(body)
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
