import type { HashAnswer, HashRequest } from './hash.worker.ts'
import workerUrl from './hash.worker.ts?worker&url'

interface Waiting {
  onProgress: (doneBytes: number) => void
  resolve: (sha256: string) => void
  reject: (error: Error) => void
}

/** Hashes files off the page's thread, one after the other; ends with {@link close}. */
export class Hasher {
  private readonly worker = new Worker(workerUrl, { type: 'module' })
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0
  private tail: Promise<unknown> = Promise.resolve()

  constructor() {
    this.worker.addEventListener('message', ({ data }: MessageEvent<HashAnswer>) => this.take(data))
    this.worker.addEventListener('error', () => this.fail())
  }

  /** SHA-256 of a file as hex. */
  hash(file: File, onProgress: (doneBytes: number) => void): Promise<string> {
    const run = () =>
      new Promise<string>((resolve, reject) => {
        const id = ++this.lastId
        this.waiting.set(id, { onProgress, resolve, reject })
        this.worker.postMessage({ id, file } satisfies HashRequest)
      })
    const result = this.tail.then(run, run)
    this.tail = result
    return result
  }

  /** Its code could not be fetched, or it broke: nothing that waits will be answered. */
  private fail(): void {
    for (const { reject } of this.waiting.values())
      reject(new Error('could not be hashed: reload the page and choose the file again'))
    this.waiting.clear()
  }

  close(): void {
    this.worker.terminate()
  }

  private take(answer: HashAnswer): void {
    const waiting = this.waiting.get(answer.id)
    if (!waiting) return
    if ('doneBytes' in answer) return waiting.onProgress(answer.doneBytes)
    this.waiting.delete(answer.id)
    if ('sha256' in answer) waiting.resolve(answer.sha256)
    else waiting.reject(new Error(answer.fault))
  }
}
