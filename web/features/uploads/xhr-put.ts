import { ApiProblem } from '../../../shared/client.ts'
import type { PutPart } from '../../../shared/transfer.ts'
import { transferHeaders } from '../../lib/api.ts'
import { problemOf } from '../../lib/xhr-problem.ts'

/** Sends a part by XMLHttpRequest, the one interface that tells how much of a body has left. A bucket gets no header of ours. */
export const xhrPut: PutPart = (target, body, { signal, onProgress }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const { origin } = new URL(target.url, location.href)
    const isOwn = origin === location.origin
    request.open('PUT', target.url)
    const headers = { ...(isOwn ? transferHeaders() : {}), ...target.headers }
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, body.size)))
    request.addEventListener('error', () => void unanswered(origin).then(reject))
    request.addEventListener('load', () => {
      const etag = request.getResponseHeader('etag')
      if (request.status >= 300) reject(problemOf(request))
      else if (etag === null && !isOwn) reject(keptOut(origin))
      else resolve(etag ?? '')
    })
    signal?.addEventListener('abort', () => {
      request.abort()
      reject(signal.reason)
    })
    if (signal?.aborted) reject(signal.reason)
    else request.send(body)
  })

/** Why there was no answer: the browser hides from the page that a bucket's CORS rules refuse it. */
async function unanswered(origin: string): Promise<ApiProblem> {
  try {
    await fetch(origin, { mode: 'no-cors', credentials: 'omit' })
    return origin === location.origin ? unreachable(origin) : keptOut(origin)
  } catch {
    return unreachable(origin)
  }
}

const unreachable = (origin: string) =>
  new ApiProblem(0, { title: `The server at ${origin} cannot be reached` })

/** Sending it again would not help. */
const keptOut = (origin: string) =>
  new ApiProblem(403, {
    title: `The rules of the storage at ${origin} keep this page out`,
    detail: `The storage at ${origin} answers, but the CORS rules of its bucket keep this page out. An administrator sets them by: arsenal bucket cors`,
  })
