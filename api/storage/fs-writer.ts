import type { FileHandle } from 'node:fs/promises'
import type { ByteSource } from './blob-store.ts'
import { CHUNK_BYTES } from './bytes.ts'
import { onDisk } from './fs-errors.ts'

/** Chunks of one batch: a source of single bytes must not pile up a million objects before its first write. */
const MAX_BATCH_CHUNKS = 256

/**
 * Bytes written between two syncs. The disk works along while bytes still come, so the last sync is short:
 * 20 ms after 1 GiB, where one sync at the end took 280 ms.
 */
const SYNC_BYTES = 64 * CHUNK_BYTES

/**
 * Writes a source to an empty file and makes it durable; resolves with its length. Small chunks are gathered to
 * 1 MiB and go out in one call without being copied. One batch is being written while the source fills the next.
 */
export async function writeDurably(key: string, file: FileHandle, source: ByteSource): Promise<number> {
  const writer = new BatchWriter(file, (chunk) => source.giveBack?.(chunk))
  try {
    for await (const chunk of source) {
      const written = writer.add(chunk)
      if (written) await onDisk(key, () => written)
    }
    return await onDisk(key, () => writer.finish())
  } finally {
    await writer.settle()
  }
}

class BatchWriter {
  readonly #file: FileHandle
  readonly #onWritten: (chunk: Uint8Array) => void
  #batch: Uint8Array[] = []
  #batchBytes = 0
  #position = 0
  #syncedTo = 0
  #writing: Promise<void> = Promise.resolve()
  #syncing: Promise<void> | undefined

  /** `onWritten` hears of every chunk that is needed no more. */
  constructor(file: FileHandle, onWritten: (chunk: Uint8Array) => void) {
    this.#file = file
    this.#onWritten = onWritten
  }

  /** Takes a chunk; a promise means: wait for it before the next one. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    if (chunk.length === 0) return undefined
    this.#batch.push(chunk)
    this.#batchBytes += chunk.length
    return this.#batchBytes >= CHUNK_BYTES || this.#batch.length >= MAX_BATCH_CHUNKS
      ? this.#flush()
      : undefined
  }

  async finish(): Promise<number> {
    if (this.#batchBytes > 0) await this.#flush()
    await this.#writing
    await this.#syncing
    await this.#file.sync()
    return this.#position
  }

  /** Waits until the disk is at rest, whatever came of it. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#syncing])
  }

  async #flush(): Promise<void> {
    const batch = this.#batch
    const position = this.#position
    this.#position += this.#batchBytes
    this.#batch = []
    this.#batchBytes = 0
    await this.#writing
    this.#writing = watched(writeAll(this.#file, batch, position).then(() => batch.forEach(this.#onWritten)))
    if (position - this.#syncedTo >= SYNC_BYTES) await this.#startSync(position)
  }

  async #startSync(position: number): Promise<void> {
    // Waiting for the sync before this one keeps a fast source from filling memory with unwritten pages.
    await this.#syncing
    this.#syncedTo = position
    this.#syncing = watched(this.#file.datasync())
  }
}

/** The same promise, whose failure is looked at later; until then Node must not take it for unhandled. */
function watched(step: Promise<void>): Promise<void> {
  step.catch(() => undefined)
  return step
}

async function writeAll(file: FileHandle, batch: Uint8Array[], position: number): Promise<void> {
  const { bytesWritten } = await file.writev(batch, position)
  let rest: Uint8Array =
    bytesWritten < sum(batch) ? Buffer.concat(batch).subarray(bytesWritten) : Buffer.alloc(0)
  let at = position + bytesWritten
  while (rest.length > 0) {
    // A write cut short says nothing of its cause; the next one gets the error, such as a full disk.
    const { bytesWritten: more } = await file.write(rest, 0, rest.length, at)
    rest = rest.subarray(more)
    at += more
  }
}

function sum(batch: Uint8Array[]): number {
  return batch.reduce((total, chunk) => total + chunk.length, 0)
}
