import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Ctx } from '../../../core/ctx.ts'
import { deleteReserved, type ProvenObject, reserveKeys } from '../../../core/lfs/index.ts'
import type { RunningJob } from '../../../core/jobs/index.ts'
import { newId } from '../../../stores/db/index.ts'
import { blobKeys, fromChunks, type ByteSource } from '../../../stores/storage/index.ts'
import { putProven } from '../../uploads/index.ts'
import { requireQuota } from '../../repos/index.ts'

/** Bytes of an export on their way into the store. Those that no export names in the end are deleted. */
export class StoredFiles {
  readonly #ctx: Ctx
  readonly #job: RunningJob
  readonly #repoId: string
  readonly objects: ProvenObject[] = []

  constructor(ctx: Ctx, job: RunningJob, repoId: string) {
    this.#ctx = ctx
    this.#job = job
    this.#repoId = repoId
  }

  /** Stores a file of this machine; answers its content. Problem `quota-exceeded`. */
  async add(path: string): Promise<{ sha256: string; sizeBytes: number }> {
    const { size } = await stat(path)
    const sha256 = await sha256Of(readLarge(path), this.#ctx.signal)
    await this.#store({ sha256, sizeBytes: size }, () => readLarge(path))
    return { sha256, sizeBytes: size }
  }

  /** Stores bytes at hand. */
  async addBytes(bytes: Buffer): Promise<{ sha256: string; sizeBytes: number }> {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await this.#store({ sha256, sizeBytes: bytes.length }, () => fromChunks(bytes))
    return { sha256, sizeBytes: bytes.length }
  }

  async #store(object: { sha256: string; sizeBytes: number }, open: () => ByteSource): Promise<void> {
    const key = blobKeys.lfsObject(object.sha256, newId())
    await requireQuota(this.#ctx, this.#repoId, { objects: [...this.objects, object] })
    await this.#job.write((tx) => reserveKeys(tx, this.#ctx, [key]))
    this.objects.push({ ...object, key })
    await putProven(this.#ctx, { ...object, key }, open())
  }

  /** Gives up all that was stored: there is no export. */
  async discard(): Promise<void> {
    for (const { key } of this.objects.splice(0)) await deleteReserved(this.#ctx, key)
  }
}

/** In pieces of a MiB: those of 64 KiB, which Node reads, take twice the CPU time (reliability.md §14). */
const readLarge = (path: string) => createReadStream(path, { highWaterMark: 1024 * 1024 })

async function sha256Of(source: AsyncIterable<Buffer>, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of source) {
    signal.throwIfAborted()
    hash.update(chunk)
  }
  return hash.digest('hex')
}
