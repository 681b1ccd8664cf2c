import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { blobKeys, fromChunks, StoreError, type BlobStore } from '../../../stores/storage/index.ts'
import type { Logger } from '../../../platform/telemetry/index.ts'
import { CorruptObject, isAbsentFile, PackQuarantined } from '../errors.ts'
import { linkOrCopy } from './link-or-copy.ts'
import { OID_BYTES } from '../objects/oid.ts'
import { Pack, type DeltaBases } from './pack.ts'
import { PackBitmaps } from './pack-bitmap.ts'
import { PackCache } from './pack-cache.ts'
import { HeldContents } from './held-contents.ts'
import { PackIndex } from './pack-index.ts'
import { keyOf, type PackFile, type PackRow } from './pack-row.ts'
import type { FinishedPack } from './finished-pack.ts'

export interface PackStoreOptions {
  blobs: BlobStore
  cacheDir: string
  cacheBytes: number
  /** Largest object rebuilt in memory. */
  maxRebuiltBytes: number
  log: Logger
}

const MAX_OPEN_PACKS = 512
const OPEN_INDEX_BYTES = 256 * 1024 * 1024
/** Contents that several read at once. */
const HELD_BYTES = 64 * 1024 * 1024
const DELTA_BASE_BYTES = 32 * 1024 * 1024

/**
 * Packs of the blob store, open for reading. Where the store's files lie on this machine they are read in place;
 * otherwise each pack is fetched once into the cache folder. Opening rejects with the store's `StoreError` or with
 * `CorruptObject`, after one fresh fetch.
 */
export class PackStore {
  readonly #options: PackStoreOptions
  readonly #cache: PackCache
  readonly #open: LRUCache<string, Pack>
  readonly #opening = new Map<string, Promise<Pack>>()
  readonly #bases: DeltaBases
  readonly #held = new HeldContents(HELD_BYTES)
  readonly bitmaps: PackBitmaps

  constructor(options: PackStoreOptions) {
    this.#options = options
    this.#cache = new PackCache(options.blobs, options.cacheDir, options.cacheBytes)
    this.bitmaps = new PackBitmaps((row, kind) => this.#file(row, kind), options.log)
    this.#open = new LRUCache({
      max: MAX_OPEN_PACKS,
      maxSize: OPEN_INDEX_BYTES,
      sizeCalculation: ({ index }) => Math.min(index.bytes.length, OPEN_INDEX_BYTES),
      dispose: (pack) => pack.close(),
    })
    this.#bases = new LRUCache({
      maxSize: DELTA_BASE_BYTES,
      sizeCalculation: ({ content }) => content.length + 64,
    })
  }

  /** Where packs are written and git gets throw-away folders; of one file system with the cache. */
  get tempDir(): string {
    return join(this.#options.cacheDir, '.tmp')
  }

  /** The pack when it is open already. */
  peek(id: string): Pack | undefined {
    return this.#open.get(id)
  }

  /** Opens a pack; concurrent callers share one fetch. */
  async open(row: PackRow): Promise<Pack> {
    const found = this.#open.get(row.id)
    if (found) return found
    return this.#opening.get(row.id) ?? this.#start(row)
  }

  #start(row: PackRow): Promise<Pack> {
    const opening = this.#load(row).finally(() => this.#opening.delete(row.id))
    this.#opening.set(row.id, opening)
    return opening
  }

  async #load(row: PackRow): Promise<Pack> {
    return this.#openOnce(row).catch(async (error: unknown) => {
      // A cached file may be evicted between finding and opening it; a damaged one is fetched again.
      if (error instanceof CorruptObject) this.#alert(row, error)
      else if (!isAbsentFile(error)) throw error
      await this.#cache.drop(row)
      return this.#openOnce(row)
    })
  }

  #keepOpen(id: string, path: string, index: PackIndex): Pack {
    const pack = new Pack(id, path, index, this.#bases, this.#options.maxRebuiltBytes, this.#held)
    this.#open.set(id, pack)
    return pack
  }

  #alert(row: PackRow, err: CorruptObject): void {
    this.#options.log.error({ err, repo: row.repoId, pack: row.id }, 'a git pack is damaged')
  }

  async #openOnce(row: PackRow): Promise<Pack> {
    const [pack, index] = await bothOf(this.#file(row, 'pack'), this.#file(row, 'idx'))
    const sha1 = Buffer.from(row.sha1, 'hex')
    await checkTrailer(pack, row, sha1)
    const parsed = PackIndex.parse(await readFile(index), sha1)
    if (parsed.length !== row.objects)
      throw new CorruptObject(`index of pack ${row.id} lists another number of objects`)
    return this.#keepOpen(row.id, pack, parsed)
  }

  /** Path of the stored file itself, or of its copy in the cache. */
  async #file(row: PackRow, kind: PackFile): Promise<string> {
    const key = keyOf(row, kind)
    const local = this.#options.blobs.localPath(key)
    if (local === undefined) return this.#cache.fetch(row, kind)
    await stat(local).catch((cause: unknown) => {
      throw new StoreError('missing', key, 'the file is not there', { cause })
    })
    return local
  }

  /** After a `CorruptObject`: closes the pack and forgets its cached files, so that the next open fetches it again. */
  async discard(row: PackRow): Promise<void> {
    this.#open.delete(row.id)
    await this.#cache.drop(row)
  }

  /**
   * Durably stores a finished pack, its index and its bitmap, if any, side by side; a file of this machine is then open.
   * Rejects with the store's error.
   */
  async put(repoId: string, packId: string, pack: FinishedPack): Promise<void> {
    const { blobs } = this.#options
    const put = (key: string, bytes: Buffer) => blobs.put(key, fromChunks(bytes), { sizeBytes: bytes.length })
    await Promise.all([
      blobs.put(blobKeys.pack(repoId, packId), pack.open(), { sizeBytes: pack.sizeBytes }),
      put(blobKeys.packIndex(repoId, packId), pack.index),
      pack.bitmap && put(blobKeys.packBitmap(repoId, packId), pack.bitmap),
    ])
    const path = blobs.localPath(blobKeys.pack(repoId, packId))
    if (path !== undefined) this.#keepOpen(packId, path, PackIndex.parse(pack.index, pack.sha1))
  }

  /** Deletes a pack's bytes; nothing may name it any more. */
  async delete({ id, repoId }: Pick<PackRow, 'id' | 'repoId'>): Promise<void> {
    this.#open.delete(id)
    await this.#options.blobs.delete(blobKeys.pack(repoId, id))
    await this.#options.blobs.delete(blobKeys.packIndex(repoId, id))
    await this.#options.blobs.delete(blobKeys.packBitmap(repoId, id))
  }

  /** Makes `pack-{sha1}.pack` and `.idx` appear in `dir`: hard links where allowed and possible, else copies. */
  async bring(row: PackRow, dir: string, mayLink: boolean): Promise<void> {
    if (row.corruptAt) throw new PackQuarantined()
    for (const kind of ['pack', 'idx'] as const) {
      const target = join(dir, `pack-${row.sha1}.${kind}`)
      const bring = async () => linkOrCopy(await this.#file(row, kind), target, mayLink)
      // Another process may evict the file, or put its own copy in its place, in the moment before it is linked.
      await bring().catch((error: unknown) => {
        if (isAbsentFile(error)) return bring()
        throw error
      })
    }
  }

  /** Does the same for the bitmap that serves these packs best, if any. */
  async bringBitmap(rows: readonly PackRow[], dir: string): Promise<void> {
    const found = await this.bitmaps.find(rows)
    if (!found) return
    await linkOrCopy(found.path, join(dir, `pack-${found.row.sha1}.bitmap`), true).catch((error: unknown) => {
      // Evicted this very moment.
      if (!isAbsentFile(error)) throw error
    })
  }

  /** Closes every descriptor. Snapshots in use reopen what they still need. */
  close(): void {
    this.#open.clear()
  }
}

/** Waits for both also when one fails, so that what follows a failure meets no fetch still under way. */
async function bothOf<T>(first: Promise<T>, second: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([first, second])
  return [await first, await second]
}

async function checkTrailer(path: string, row: PackRow, sha1: Buffer): Promise<void> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size !== row.packBytes)
      throw new CorruptObject(`pack ${row.id} has ${size} bytes, not ${row.packBytes}`)
    const trailer = Buffer.alloc(OID_BYTES)
    await file.read(trailer, 0, OID_BYTES, size - OID_BYTES)
    if (!trailer.equals(sha1))
      throw new CorruptObject(`pack ${row.id} has another trailer than the catalogue`)
  } finally {
    await file.close()
  }
}
