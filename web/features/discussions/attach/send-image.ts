import { ApiProblem, operationUrl, type Attachment } from '../../../../shared/client.ts'
import { transferHeaders } from '../../../lib/api.ts'
import type { RepoAddress } from '../../../lib/types.ts'
import { problemOf } from '../../../lib/xhr-problem.ts'

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
