import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { uuidv7 } from 'uuidv7'
import { DiskSpace, freeSpaceOf, lackingBytes, type BlobStore } from '../../../stores/storage/index.ts'
import { CorruptObject } from '../errors.ts'
import { OID_BYTES } from '../objects/oid.ts'
import { keyOf, sizeOf, type PackFile, type PackRow } from './pack-row.ts'

/**
 * Local copies of packs, `{dir}/{repo_id}/{pack_id}.pack|.idx|.bitmap`, disposable at any time. Several processes may share the
 * folder: files appear by rename and vanish by unlink, and open descriptors outlive both, so there is no lock.
 */
export class PackCache {
  readonly #blobs: BlobStore
  readonly #dir: string
  readonly #maxBytes: number
  readonly #fetching = new Map<string, Promise<string>>()
  #sizeBytes: number | undefined

  constructor(blobs: BlobStore, dir: string, maxBytes: number) {
    this.#blobs = blobs
    this.#dir = dir
    this.#maxBytes = maxBytes
  }

  /** Path of the local copy, fetched and verified when absent; one fetch at a time per file. */
  async fetch(row: PackRow, kind: PackFile): Promise<string> {
    const path = this.#path(row, kind)
    const present = await stat(path).catch(() => undefined)
    if (present && present.size === (sizeOf(row, kind) ?? present.size)) {
      const now = new Date()
      // The time of last use, for eviction; a file evicted this very moment is found missing when opened.
      await utimes(path, now, now).catch(() => undefined)
      return path
    }
    const fetching = this.#fetching.get(path) ?? this.#start(row, kind, path)
    return fetching
  }

  #start(row: PackRow, kind: PackFile, path: string): Promise<string> {
    const fetching = this.#download(row, kind, path).finally(() => this.#fetching.delete(path))
    this.#fetching.set(path, fetching)
    return fetching
  }

  async #download(row: PackRow, kind: PackFile, path: string): Promise<string> {
    await mkdir(join(this.#dir, row.repoId), { recursive: true })
    await mkdir(join(this.#dir, '.tmp'), { recursive: true })
    const temp = join(this.#dir, '.tmp', uuidv7())
    await this.#freeDisk(sizeOf(row, kind) ?? 0)
    try {
      const sizeBytes = await this.#write(row, kind, temp)
      await rename(temp, path)
      await this.#makeRoom(sizeBytes)
      return path
    } finally {
      await rm(temp, { force: true })
    }
  }

  /** Answers how many bytes it wrote. */
  async #write(row: PackRow, kind: PackFile, temp: string): Promise<number> {
    const source = await this.#blobs.read(keyOf(row, kind))
    const file = await open(temp, 'wx', 0o600)
    const space = new DiskSpace(this.#dir, 'A copy in the pack cache')
    const checked = new TrailerHash()
    try {
      for await (const chunk of source) {
        checked.update(chunk)
        await space.take(chunk.byteLength)
        await file.writeFile(chunk)
      }
    } finally {
      await file.close()
    }
    if (checked.sizeBytes !== (sizeOf(row, kind) ?? checked.sizeBytes))
      throw new CorruptObject(`${kind} of pack ${row.id} has another size`)
    if (!checked.isSound()) throw new CorruptObject(`${kind} of pack ${row.id} does not match its trailer`)
    return checked.sizeBytes
  }

  /** Forgets a pack's copies. */
  async drop(row: PackRow): Promise<void> {
    await rm(this.#path(row, 'pack'), { force: true })
    await rm(this.#path(row, 'idx'), { force: true })
    await rm(this.#path(row, 'bitmap'), { force: true })
  }

  async #makeRoom(addedBytes: number): Promise<void> {
    this.#sizeBytes = this.#sizeBytes === undefined ? undefined : this.#sizeBytes + addedBytes
    if (this.#sizeBytes !== undefined && this.#sizeBytes <= this.#maxBytes) return
    // Down to nine tenths, so that not every fetch walks the folder.
    await this.#evict((total) => (total <= this.#maxBytes ? total : this.#maxBytes * 0.9))
  }

  /** A full disk takes the copies used longest ago before it refuses a read. */
  async #freeDisk(wantedBytes: number): Promise<void> {
    const lacking = lackingBytes(await freeSpaceOf(this.#dir), wantedBytes)
    if (lacking > 0) await this.#evict((total) => total - lacking)
  }

  async #evict(goalOf: (totalBytes: number) => number): Promise<void> {
    const files = (await this.#list()).sort((a, b) => a.usedMs - b.usedMs)
    let total = files.reduce((sum, file) => sum + file.sizeBytes, 0)
    const goal = goalOf(total)
    for (const file of files) {
      if (total <= goal) break
      await rm(file.path, { force: true })
      total -= file.sizeBytes
    }
    this.#sizeBytes = total
  }

  async #list(): Promise<{ path: string; sizeBytes: number; usedMs: number }[]> {
    const files: { path: string; sizeBytes: number; usedMs: number }[] = []
    for (const repo of await readdir(this.#dir)) {
      if (repo === '.tmp') continue
      for (const name of await readdir(join(this.#dir, repo)).catch(() => [])) {
        const path = join(this.#dir, repo, name)
        const found = await stat(path).catch(() => undefined)
        if (found?.isFile()) files.push({ path, sizeBytes: found.size, usedMs: found.mtimeMs })
      }
    }
    return files
  }

  #path(row: PackRow, kind: PackFile): string {
    return join(this.#dir, row.repoId, `${row.id}.${kind}`)
  }
}

/** Packs, indexes and bitmaps all end in the SHA-1 of all bytes before, so the last 20 bytes are held back from the hash. */
class TrailerHash {
  readonly #hash = createHash('sha1')
  #held: Buffer = Buffer.alloc(0)
  sizeBytes = 0

  update(chunk: Uint8Array): void {
    this.sizeBytes += chunk.byteLength
    const bytes = Buffer.concat([this.#held, chunk])
    const end = Math.max(0, bytes.length - OID_BYTES)
    this.#hash.update(bytes.subarray(0, end))
    this.#held = bytes.subarray(end)
  }

  isSound(): boolean {
    return this.#held.equals(this.#hash.digest())
  }
}
