import { createHash, type Hash } from 'node:crypto'
import { Problem } from '../../../platform/problems/index.ts'
import type { OpenedFile } from '../../content/index.ts'
import type { Tensor } from '../header/tensors.ts'

/** Bytes between two tensors that are read along: another request to the store takes longer. */
const MAX_GAP = 1024 * 1024

/** A tensor whose bytes can be read. */
export type SizedTensor = Tensor & { sizeBytes: number }

export interface Hashing {
  signal: AbortSignal
  /** Called with the number of bytes of each read. */
  onRead(bytes: number): Promise<void>
}

/**
 * SHA-256 of each tensor of one file, by name, in hex. Neighbours are read in one pass. Problem `validation-failed` for
 * tensors that overlap or lie beyond the end: such a header is damaged, or made to have bytes read again and again.
 */
export async function hashTensors(
  file: OpenedFile,
  tensors: readonly SizedTensor[],
  how: Hashing,
): Promise<Map<string, string>> {
  const sorted = [...tensors].sort((a, b) => a.offset - b.offset || a.sizeBytes - b.sizeBytes)
  const found = new Map<string, string>()
  for (const run of runsOf(file, sorted)) await hashRun(file, run, how, found)
  return found
}

interface Run {
  begin: number
  end: number
  tensors: SizedTensor[]
}

function runsOf(file: OpenedFile, sorted: readonly SizedTensor[]): Run[] {
  const runs: Run[] = []
  for (const tensor of sorted) {
    const end = tensor.offset + tensor.sizeBytes
    if (end > file.sizeBytes)
      throw damaged(file, `tensor "${tensor.name}" ends at byte ${end} of ${file.sizeBytes}`)
    const run = runs.at(-1)
    if (run && tensor.offset < run.end && tensor.sizeBytes > 0)
      throw damaged(file, `tensor "${tensor.name}" overlaps the one before it`)
    if (run && tensor.offset - run.end <= MAX_GAP) {
      run.tensors.push(tensor)
      run.end = Math.max(run.end, end)
    } else runs.push({ begin: tensor.offset, end, tensors: [tensor] })
  }
  return runs
}

async function hashRun(
  file: OpenedFile,
  { begin, end, tensors }: Run,
  { signal, onRead }: Hashing,
  found: Map<string, string>,
): Promise<void> {
  const queue = new HashQueue(tensors, found)
  if (end > begin)
    for await (const chunk of await file.open({ offset: begin, length: end - begin }, signal)) {
      signal.throwIfAborted()
      queue.take(chunk, begin + queue.readBytes)
      await onRead(chunk.byteLength)
    }
  queue.end()
  if (found.size === 0 || tensors.some(({ name }) => !found.has(name)))
    throw new Problem('store-unavailable', {
      detail: `The store sent fewer bytes of "${file.path}" than it has. Try again.`,
      retryAfterS: 60,
    })
}

/** Hashes tensors that follow each other, from chunks of any size. */
class HashQueue {
  readonly #tensors: readonly SizedTensor[]
  readonly #found: Map<string, string>
  #place = 0
  #hash: Hash = createHash('sha256')
  #hashed = 0
  readBytes = 0

  constructor(tensors: readonly SizedTensor[], found: Map<string, string>) {
    this.#tensors = tensors
    this.#found = found
  }

  /** `at` is where the chunk lies in the file. */
  take(chunk: Uint8Array, at: number): void {
    this.readBytes += chunk.byteLength
    const chunkEnd = at + chunk.byteLength
    for (let tensor = this.#next(); tensor; tensor = this.#next()) {
      const from = tensor.offset + this.#hashed
      if (from >= chunkEnd) return
      const part = chunk.subarray(
        from - at,
        Math.min(chunk.byteLength, tensor.offset + tensor.sizeBytes - at),
      )
      this.#hash.update(part)
      this.#hashed += part.byteLength
    }
  }

  end(): void {
    this.#next()
  }

  /** The tensor that lacks bytes; those that have all are done. */
  #next(): SizedTensor | undefined {
    for (;;) {
      const tensor = this.#tensors[this.#place]
      if (!tensor || this.#hashed < tensor.sizeBytes) return tensor
      this.#found.set(tensor.name, this.#hash.digest('hex'))
      this.#hash = createHash('sha256')
      this.#hashed = 0
      this.#place++
    }
  }
}

const damaged = (file: OpenedFile, fault: string) =>
  new Problem('validation-failed', { detail: `"${file.path}" is damaged: ${fault}. Upload the file again.` })
