import { ApiProblem, operationUrl, type Attachment } from '../../../../shared/client.ts'
import { limits } from '../../../../shared/vocabulary.ts'
import { transferHeaders } from '../../../lib/api.ts'
import type { RepoAddress } from '../../../lib/types.ts'
import { problemOf } from '../../../lib/xhr-problem.ts'

/** What the server takes, as browsers name it. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Why an image need not be sent at all. */
export function faultOf({ type, size }: File): string | undefined {
  if (!imageTypes.includes(type)) return 'Only PNG, JPEG, GIF and WebP images can be attached.'
  if (size > limits.attachmentBytes) return 'An image may have at most 10 MiB. Make it smaller and try again.'
  return size === 0 ? 'The file is empty.' : undefined
}

interface Sending {
  signal: AbortSignal
  /** Hears how much has left, from 0 to 1. */
  onProgress: (part: number) => void
}

/** Sends an image by XMLHttpRequest, which tells how much of it has left. */
export function sendImage(
  address: RepoAddress,
  file: File,
  { signal, onProgress }: Sending,
): Promise<Attachment> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', operationUrl('createAttachment', { params: address }))
    const headers = { ...transferHeaders(), 'content-type': file.type }
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total ? loaded / total : 0))
    request.addEventListener('error', () =>
      reject(new ApiProblem(0, { title: 'The server cannot be reached' })),
    )
    request.addEventListener('load', () =>
      request.status < 300
        ? resolve(JSON.parse(request.responseText) as Attachment)
        : reject(problemOf(request)),
    )
    signal.addEventListener('abort', () => {
      request.abort()
      reject(signal.reason as Error)
    })
    request.send(file)
  })
}
