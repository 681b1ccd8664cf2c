import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { ByteSource } from '../blob-store.ts'
import { CHUNK_BYTES } from '../bytes.ts'
import { directBytes, type DirectIo } from './uncached.ts'
import type { DiskSpace } from '../disk-space.ts'
import { onDisk } from './errors.ts'

/** Chunks of one batch: a source of single bytes must not pile up a million objects before its first write. */
const MAX_BATCH_CHUNKS = 256

/** Writes under way while the source fills the next: two keep a disk busy past the page cache, and more win nothing. */
const WRITES_AT_ONCE = 2

/**
 * Bytes written to the page cache between two syncs. The disk works along while bytes still come, so the last sync is
 * short: 20 ms after 1 GiB, where one sync at the end took 280 ms.
 */
const SYNC_BYTES = 64 * CHUNK_BYTES

/** An empty file, open for writing, the way past the page cache if it is to be used, and the space where it lies. */
export interface EmptyFile {
  file: FileHandle
  path: string
  direct: DirectIo | undefined
  space: DiskSpace
}

/**
 * Writes a source to an empty file and makes it durable; resolves with its length. With `direct`, a source of slabs goes
 * past the page cache from its first full one on, save for what is no whole block at its end. Small chunks are gathered
 * to 1 MiB and go out in one call without being copied. A disk without space for `expectedBytes` above its reserve rejects with `full`.
 */
export async function writeDurably(
  key: string,
  to: EmptyFile,
  source: ByteSource,
  expectedBytes = 0,
): Promise<number> {
  await onDisk(key, () => to.space.require(expectedBytes))
  const writer = new BatchWriter(to, (chunk) => source.giveBack?.(chunk))
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
  readonly #to: EmptyFile
  readonly #onWritten: (chunk: Uint8Array) => void
  #batch: Uint8Array[] = []
  #batchBytes = 0
  #position = 0
  #unsyncedBytes = 0
  readonly #writes: Promise<void>[] = []
  #syncing: Promise<void> | undefined
  #bypass: Promise<FileHandle | undefined> | undefined

  /** `onWritten` hears of every chunk that is needed no more. */
  constructor(to: EmptyFile, onWritten: (chunk: Uint8Array) => void) {
    this.#to = to
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
    await Promise.all(this.#writes)
    await this.#syncing
    await this.#to.file.sync()
    return this.#position
  }

  /** Waits until the disk is at rest, whatever came of it. */
  async settle(): Promise<void> {
    await Promise.allSettled([...this.#writes, this.#syncing])
    const [bypass] = await Promise.allSettled([this.#bypass])
    if (bypass.status === 'fulfilled') await bypass.value?.close()
  }

  async #flush(): Promise<void> {
    const batch = this.#batch
    const position = this.#position
    this.#position += this.#batchBytes
    this.#batch = []
    this.#batchBytes = 0
    while (this.#writes.length >= WRITES_AT_ONCE) await this.#writes.shift()
    await this.#to.space.take(this.#position - position)
    this.#writes.push(watched(this.#write(batch, position).then(() => batch.forEach(this.#onWritten))))
    if (this.#unsyncedBytes >= SYNC_BYTES) await this.#startSync()
  }

  async #write(batch: Uint8Array[], position: number): Promise<void> {
    const direct = await this.#writeDirect(batch, position)
    const rest = direct > 0 ? batch.map((chunk) => chunk.subarray(direct)) : batch
    this.#unsyncedBytes += sum(rest)
    await writeAll(this.#to.file, rest, position + direct)
  }

  /** Writes of a batch what can go past the cache; resolves with the number of bytes. */
  async #writeDirect(batch: Uint8Array[], position: number): Promise<number> {
    const { direct, path } = this.#to
    if (!direct) return 0
    const [chunk] = batch
    const length = chunk && batch.length === 1 ? directBytes(chunk, position) : 0
    if (!chunk || length === 0 || (length < CHUNK_BYTES && !this.#bypass)) return 0
    this.#bypass ??= direct.open(path, constants.O_WRONLY)
    const file = await this.#bypass
    const written = file && (await direct.attempt(() => file.write(chunk, 0, length, position)))
    return written?.bytesWritten ?? 0
  }

  async #startSync(): Promise<void> {
    // Waiting for the sync before this one keeps a fast source from filling memory with unwritten pages.
    await this.#syncing
    this.#unsyncedBytes = 0
    this.#syncing = watched(this.#to.file.datasync())
  }
}

/** The same promise, whose failure is looked at later; until then Node must not take it for unhandled. */
function watched(step: Promise<void>): Promise<void> {
  step.catch(() => undefined)
  return step
}

async function writeAll(file: FileHandle, batch: Uint8Array[], position: number): Promise<void> {
  const lengthBytes = sum(batch)
  if (lengthBytes === 0) return
  const { bytesWritten } = await file.writev(batch, position)
  let rest: Uint8Array =
    bytesWritten < lengthBytes ? Buffer.concat(batch).subarray(bytesWritten) : Buffer.alloc(0)
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
