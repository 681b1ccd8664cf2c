import { createHash, randomUUID } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ByteSource, StoredPart } from '../blob-store.ts'
import { concat } from '../bytes.ts'
import type { Disk } from './disk.ts'
import { onDisk } from './errors.ts'
import { syncFolder } from './folders.ts'
import { readChunks } from './reader.ts'
import { writeDurably } from './writer.ts'
import { requirePartNumber, requireRisingParts } from '../guards.ts'
import { inSlabs, returnSlab } from '../slabs.ts'
import { StoreError } from '../store-error.ts'

/** Multipart uploads as folders of part files. An upload id is a UUID and the beginning of its key's SHA-256. */
export class FsMultiparts {
  readonly #disk: Disk
  readonly #now: () => Date

  constructor(disk: Disk, now: () => Date) {
    this.#disk = disk
    this.#now = now
  }

  async create(key: string): Promise<string> {
    const uploadId = `${randomUUID()}.${fingerprint(key)}`
    await onDisk(key, async () => {
      await mkdir(join(this.#disk.multiparts, uploadId), { mode: 0o700 })
      await syncFolder(this.#disk.multiparts)
    })
    return uploadId
  }

  async put(
    key: string,
    uploadId: string,
    n: number,
    chunks: ByteSource,
    sizeBytes?: number,
  ): Promise<StoredPart> {
    requirePartNumber(key, n)
    const folder = await this.#folder(key, uploadId)
    return this.#disk.withTemp(key, async (file, temp) => {
      await writeDurably(key, this.#disk.emptyFile(file, temp), chunks, sizeBytes)
      const part = toPart(n, await onDisk(key, () => file.stat({ bigint: true })))
      await this.#present(key, uploadId, () => rename(temp, join(folder, String(n))))
      await this.#present(key, uploadId, () => syncFolder(folder))
      return part
    })
  }

  async list(key: string, uploadId: string): Promise<StoredPart[]> {
    const folder = await this.#folder(key, uploadId)
    const names = await this.#present(key, uploadId, () => readdir(folder))
    const parts: StoredPart[] = []
    for (const n of names.map(Number).sort((a, b) => a - b)) {
      const stats = await this.#present(key, uploadId, () => lstat(join(folder, String(n)), { bigint: true }))
      parts.push(toPart(n, stats))
    }
    return parts
  }

  /** One part becomes the object itself; several are joined in a new file, so that a failure leaves them whole. */
  async complete(key: string, uploadId: string, parts: { n: number; etag: string }[]): Promise<void> {
    const folder = await this.#folder(key, uploadId)
    requireRisingParts(key, parts)
    for (const part of parts) await this.#requirePart(key, folder, part)
    const [only, ...more] = parts
    if (only && more.length === 0) {
      await this.#disk.publish(join(folder, String(only.n)), key, this.#now())
    } else {
      await this.#disk.withTemp(key, async (file, temp) => {
        const joined = concat(parts.map((part) => this.#readPart(key, folder, part)))
        const slabs = Object.assign(inSlabs(joined), { giveBack: returnSlab })
        await writeDurably(key, this.#disk.emptyFile(file, temp), slabs)
        await this.#disk.publish(temp, key)
      })
    }
    // The object stands, so the completion has succeeded; parts that stay behind are swept.
    await this.#drop(uploadId).catch(() => undefined)
  }

  async abort(key: string, uploadId: string): Promise<void> {
    if (!isUploadId(key, uploadId)) return
    await this.#disk.unlessAbsent(key, () => this.#drop(uploadId))
  }

  /** Moved away first, the upload is gone at once and no part can slip in meanwhile. */
  async #drop(uploadId: string): Promise<void> {
    const temp = this.#disk.temp()
    await rename(join(this.#disk.multiparts, uploadId), temp)
    await rm(temp, { recursive: true, force: true })
  }

  async #folder(key: string, uploadId: string): Promise<string> {
    if (!isUploadId(key, uploadId)) throw noUpload(key, uploadId)
    const folder = join(this.#disk.multiparts, uploadId)
    await this.#present(key, uploadId, () => lstat(folder))
    return folder
  }

  async #present<T>(key: string, uploadId: string, step: () => Promise<T>): Promise<T> {
    const result = await this.#disk.unlessAbsent(key, async () => ({ value: await step() }))
    if (!result) throw noUpload(key, uploadId)
    return result.value
  }

  async #requirePart(key: string, folder: string, part: { n: number; etag: string }): Promise<void> {
    const stats = await this.#disk.unlessAbsent(key, () =>
      lstat(join(folder, String(part.n)), { bigint: true }),
    )
    if (!stats || toPart(part.n, stats).etag !== part.etag) throw wrongPart(key, part.n)
  }

  async *#readPart(
    key: string,
    folder: string,
    part: { n: number; etag: string },
  ): AsyncGenerator<Uint8Array> {
    const file = await this.#disk.unlessAbsent(key, () => open(join(folder, String(part.n))))
    if (!file) throw wrongPart(key, part.n)
    const stored = toPart(part.n, await onDisk(key, () => file.stat({ bigint: true })))
    if (stored.etag !== part.etag) {
      await onDisk(key, () => file.close())
      throw wrongPart(key, part.n)
    }
    const source = readChunks(key, { file, direct: this.#disk.direct }, { start: 0, end: stored.sizeBytes })
    for await (const slab of inSlabs(source)) {
      // Joining copies it before it asks for the next.
      yield slab
      returnSlab(slab)
    }
  }
}

function fingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16)
}

function isUploadId(key: string, uploadId: string): boolean {
  return /^[0-9a-f-]{36}\.[0-9a-f]{16}$/.test(uploadId) && uploadId.endsWith(`.${fingerprint(key)}`)
}

/** A part is replaced by another file, which has another inode while the first is there: no two share an ETag. */
function toPart(n: number, { ino, mtimeNs, size }: BigIntStats): StoredPart {
  return { n, etag: [ino, mtimeNs, size].map((word) => word.toString(16)).join('-'), sizeBytes: Number(size) }
}

function noUpload(key: string, uploadId: string): StoreError {
  return new StoreError('missing', key, `no multipart upload ${uploadId}`)
}

function wrongPart(key: string, n: number): StoreError {
  return new StoreError('corrupt', key, `part ${n} is absent or another`)
}
