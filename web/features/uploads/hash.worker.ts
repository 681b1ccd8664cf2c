import { hashBlob } from '../../../shared/transfer.ts'

export interface HashRequest {
  id: number
  file: File
}
export type HashAnswer = { id: number } & ({ doneBytes: number } | { sha256: string } | { fault: string })

const answer = (message: HashAnswer) => postMessage(message)

addEventListener('message', ({ data: { id, file } }: MessageEvent<HashRequest>) => {
  hashBlob(file, (doneBytes) => answer({ id, doneBytes })).then(
    (sha256) => answer({ id, sha256 }),
    (error: unknown) => answer({ id, fault: error instanceof Error ? error.message : String(error) }),
  )
})
