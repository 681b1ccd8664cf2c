import { parentPort, workerData } from 'node:worker_threads'
import type { FileBytes } from '../reader/file-bytes.ts'
import { MAX_READ_BYTES } from '../reader/ranged-reader.ts'
import { HEAD_BYTES, LENGTH, STATE, WAITING, type Order, type RangeAsked } from './messages.ts'

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
