import { parentPort, workerData } from 'node:worker_threads'
import type { FileBytes } from '../reader/file-bytes.ts'
import { MAX_READ_BYTES } from '../reader/ranged-reader.ts'
import {
  HEAD_BYTES,
  LENGTH,
  STATE,
  WAITING,
  type Order,
  type RangeAsked,
  type Reply,
  type Request,
} from './messages.ts'

/** The bytes of a file that the main thread reads. The thread sleeps until a range has come. */
class RemoteBytes implements FileBytes {
  readonly sizeBytes: number
  readonly #head: Int32Array
  readonly #bytes: Uint8Array

  constructor(sizeBytes: number, shared: SharedArrayBuffer) {
    this.sizeBytes = sizeBytes
    this.#head = new Int32Array(shared, 0, 2)
    this.#bytes = new Uint8Array(shared, HEAD_BYTES)
  }

  read(offset: number, length: number): Uint8Array {
    const wanted = Math.max(0, Math.min(length, this.sizeBytes - offset))
    const all = new Uint8Array(wanted)
    let filled = 0
    while (filled < wanted) {
      const range = this.#ask({ offset: offset + filled, length: Math.min(wanted - filled, MAX_READ_BYTES) })
      if (range.length === 0) break
      all.set(range, filled)
      filled += range.length
    }
    return all.subarray(0, filled)
  }

  #ask(read: RangeAsked): Uint8Array {
    Atomics.store(this.#head, STATE, WAITING)
    parentPort?.postMessage({ read })
    Atomics.wait(this.#head, STATE, WAITING)
    return this.#bytes.subarray(0, this.#head[LENGTH])
  }
}

/** Runs `work` on each file that the main thread sends; the whole of a `<name>.worker.ts`. */
export function serveFiles<Input, Answer>(work: (input: Input, file: FileBytes) => Answer): void {
  const { shared } = workerData as { shared: SharedArrayBuffer }
  parentPort?.on('message', ({ input, sizeBytes }: Order<Input>) => {
    try {
      parentPort?.postMessage({ answer: work(input, new RemoteBytes(sizeBytes, shared)) })
    } catch (error) {
      parentPort?.postMessage({
        failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    }
  })
  parentPort?.postMessage('ready')
}

/** A file whose ranges are read at once, and the room that its reader may take. */
export interface RemoteFile {
  readonly sizeBytes: number
  /** The bytes of a range of any length; fewer only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>
  /** Waits until so many bytes may be decoded; they are free again when the work ends. */
  takeRoom(bytes: number): Promise<void>
}

/** Asks the main thread without sleeping. */
class Requests {
  readonly #waiting = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>()
  #last = 0

  send(request: Request): Promise<Reply> {
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      parentPort?.postMessage({ request, id })
    })
  }

  receive(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (reply.failure === undefined) waiting?.resolve(reply)
    else waiting?.reject(new Error(reply.failure))
  }
}

/**
 * As `serveFiles`, for work that reads several ranges at once. An error that `isFault` accepts is the file's, and reaches
 * the caller by its message.
 */
export function serveFilesAsync<Input, Answer>(
  work: (input: Input, file: RemoteFile) => Promise<Answer>,
  isFault: (error: unknown) => boolean = () => false,
): void {
  const requests = new Requests()
  parentPort?.on('message', async (message: Order<Input> | Reply) => {
    if ('id' in message) return requests.receive(message)
    const { input, sizeBytes } = message
    try {
      const answer = await work(input, {
        sizeBytes,
        async read(offset, length) {
          const wanted = Math.max(0, Math.min(length, sizeBytes - offset))
          const { bytes } = await requests.send({ range: { offset, length: wanted } })
          return bytes ?? new Uint8Array(0)
        },
        async takeRoom(bytes) {
          await requests.send({ room: bytes })
        },
      })
      parentPort?.postMessage({ answer })
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      if (isFault(error)) parentPort?.postMessage({ failure: text, isFault: true })
      else parentPort?.postMessage({ failure: error instanceof Error ? (error.stack ?? text) : text })
    }
  })
  parentPort?.postMessage('ready')
}
