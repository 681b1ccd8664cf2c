import { constants } from 'node:fs'
import { type FileHandle, link, open, readFile, unlink } from 'node:fs/promises'
import type { BlobStat, BlobStore, ByteRange, ByteSource, PutOptions } from '../blob-store.ts'
import { fromChunks } from '../bytes.ts'
import { LEAST_BYTES } from '../../../platform/direct-io/index.ts'
import { freeSpaceOf, type FreeSpace } from '../disk-space.ts'
import { Disk } from './disk.ts'
import type { OpenFile } from './uncached.ts'
import { onDisk } from './errors.ts'
import { listObjects, noObject, notAFile, statObject } from './list.ts'
import { readChunks, readExactly } from './reader.ts'
import { deleteLeftovers } from './leftover-files.ts'
import { writeDurably } from './writer.ts'
import { clampRange, requirePrefix } from '../guards.ts'
import { passesOnce } from '../paths.ts'
import { taking } from '../intake.ts'
import { StoreError } from '../store-error.ts'

/** No links are followed, and a pipe that lies where an object should be does not hold the open up. */
const OBJECT_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const SWEEP_EVERY_MS = 6 * 3_600_000

export interface FsOptions {
  /** Root folder, made when absent; its file system must have hard links. */
  path: string
  now?: () => Date
  /** Hears of sweeps that failed; they are tried again. */
  onSweepError?: (error: unknown) => void
  /** Opens files of objects that pass once past the page cache; tests refuse it. */
  openDirect?: OpenFile
}

/** Objects as files: written aside, synced, linked to their keys, and the folder synced. */
export class FsBlobStore implements BlobStore {
  readonly kind = 'fs'
  readonly #disk: Disk
  readonly #now: () => Date
  readonly #onSweepError: (error: unknown) => void
  readonly #sweeps: NodeJS.Timeout
  #sweeping: Promise<void>

  private constructor(disk: Disk, { now = () => new Date(), onSweepError = () => undefined }: FsOptions) {
    this.#disk = disk
    this.#now = now
    this.#onSweepError = onSweepError
    this.#sweeping = this.#sweep()
    this.#sweeps = setInterval(() => (this.#sweeping = this.#sweep()), SWEEP_EVERY_MS).unref()
  }

  static async open(options: FsOptions): Promise<FsBlobStore> {
    return new FsBlobStore(await Disk.open(options.path, options.openDirect), options)
  }

  async put(key: string, source: ByteSource, options: PutOptions = {}): Promise<BlobStat> {
    return taking(key, source, options, (chunks) =>
      this.#disk.withTemp(key, async (file, temp) => {
        const to = this.#disk.emptyFile(file, temp, options.isUncached ?? passesOnce(key))
        const sizeBytes = await writeDurably(key, to, chunks, options.sizeBytes)
        const { mtime: modifiedAt } = await onDisk(key, () => file.stat())
        await this.#disk.publish(temp, key)
        return { key, sizeBytes, modifiedAt }
      }),
    )
  }

  async read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<ByteSource> {
    signal?.throwIfAborted()
    const { file, sizeBytes } = await this.#openObject(key)
    try {
      const { start, end } = clampRange(key, sizeBytes, range)
      const direct = passesOnce(key) ? this.#disk.direct : undefined
      if (end - start > LEAST_BYTES) return readChunks(key, { file, direct }, { start, end }, signal)
      const memory = Buffer.allocUnsafeSlow(end - start)
      const bytes = await onDisk(key, () => readExactly(key, file, start, memory))
      await onDisk(key, () => file.close())
      return bytes.length > 0 ? fromChunks(bytes) : fromChunks()
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async stat(key: string): Promise<BlobStat | undefined> {
    return statObject(this.#disk, key)
  }

  async delete(key: string): Promise<void> {
    await this.#disk.remove(key)
  }

  async *list(prefix: string): AsyncGenerator<BlobStat> {
    requirePrefix(prefix)
    yield* listObjects(this.#disk, prefix)
  }

  /** Both keys share the bytes on disk, which is safe since no object ever changes. */
  async copy(from: string, to: string): Promise<BlobStat> {
    const path = this.#disk.pathOf(from)
    await this.#getStat(from)
    await this.#disk.publish(path, to, this.#now())
    return this.#getStat(to)
  }

  async presignGet(): Promise<undefined> {}

  localPath(key: string): string {
    return this.#disk.pathOf(key)
  }

  async freeSpace(): Promise<FreeSpace> {
    return onDisk('', () => freeSpaceOf(this.#disk.root))
  }

  /** Takes the way of a put outside the keys: write, sync, link, read back, delete. */
  async check(): Promise<void> {
    await this.#disk.requireRoot('')
    await this.#disk.withTemp('', async (file, temp) => {
      const linked = this.#disk.temp()
      await onDisk('', async () => {
        await file.writeFile('check')
        await file.sync()
        await link(temp, linked)
        const bytes = await readFile(linked, 'utf8').finally(() => unlink(linked))
        if (bytes !== 'check')
          throw new StoreError('corrupt', '', 'bytes read back differ from those written')
      })
    })
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeps)
    await this.#sweeping
  }

  async #openObject(key: string): Promise<{ file: FileHandle; sizeBytes: number }> {
    const path = this.#disk.pathOf(key)
    const file = await this.#disk.unlessAbsent(key, () => open(path, OBJECT_FLAGS))
    if (!file) throw noObject(key)
    try {
      const stats = await onDisk(key, () => file.stat())
      if (!stats.isFile()) throw stats.isDirectory() ? noObject(key) : notAFile(key)
      return { file, sizeBytes: stats.size }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async #getStat(key: string): Promise<BlobStat> {
    const stat = await statObject(this.#disk, key)
    if (!stat) throw noObject(key)
    return stat
  }

  async #sweep(): Promise<void> {
    await deleteLeftovers(this.#disk, this.#now()).catch(this.#onSweepError)
  }
}
