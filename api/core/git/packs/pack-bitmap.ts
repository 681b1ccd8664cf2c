import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { StoreError } from '../../../stores/storage/index.ts'
import type { Logger } from '../../../platform/telemetry/index.ts'
import { CorruptObject } from '../errors.ts'
import { OID_BYTES } from '../objects/oid.ts'
import type { PackFile, PackRow } from './pack-row.ts'

/*
 * Reachability bitmaps (gitformat-pack, bitmap-format.txt): which objects of a pack a commit leads to, so that git need
 * not look at any for a clone. The beginning: `BITM` · version · options · entries · 20 bytes trailer of the pack; at the
 * end SHA-1 of all before it.
 */
const MAGIC = 'BITM'
const PACK_SHA1_AT = 12

/** Smaller repos are counted as fast without (git-storage.md §7). */
export const MIN_BITMAP_OBJECTS = 5000

const MAX_KNOWN = 10_000

/** Whether these bytes are the whole bitmap of the pack with this trailer; git itself does not check them (2.39). */
function isBitmapOf(bytes: Buffer, packSha1: Buffer): boolean {
  const end = bytes.length - OID_BYTES
  const named = bytes.subarray(PACK_SHA1_AT, PACK_SHA1_AT + OID_BYTES)
  if (end < PACK_SHA1_AT + OID_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return false
  if (!named.equals(packSha1)) return false
  return createHash('sha1').update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end))
}

/**
 * The bitmaps of a process's packs. None is ever needed: where one is absent, damaged or out of reach git goes without,
 * and counts the objects.
 */
export class PackBitmaps {
  readonly #file: (row: PackRow, kind: PackFile) => Promise<string>
  readonly #log: Logger
  /** By pack. Whether there is one is settled before the pack is live. */
  readonly #isSound = new LRUCache<string, boolean>({ max: MAX_KNOWN })

  constructor(file: (row: PackRow, kind: PackFile) => Promise<string>, log: Logger) {
    this.#file = file
    this.#log = log
  }

  /** The largest of these packs with a sound bitmap, and where that lies. git takes only one. */
  async find(rows: readonly PackRow[]): Promise<{ row: PackRow; path: string } | undefined> {
    const large = rows.filter((row) => row.objects > MIN_BITMAP_OBJECTS)
    for (const row of large.toSorted((a, b) => b.objects - a.objects)) {
      const path = this.#isSound.get(row.id) === false ? undefined : await this.#attempt(row)
      if (path !== undefined) return { row, path }
    }
    return undefined
  }

  async #attempt(row: PackRow): Promise<string | undefined> {
    try {
      const path = await this.#file(row, 'bitmap')
      if (this.#isSound.get(row.id)) return path
      if (!isBitmapOf(await readFile(path), Buffer.from(row.sha1, 'hex')))
        throw new CorruptObject(`the bitmap of pack ${row.id} is damaged`)
      this.#isSound.set(row.id, true)
      return path
    } catch (err) {
      const isMissing = err instanceof StoreError && err.kind === 'missing'
      if (isMissing || err instanceof CorruptObject) this.#isSound.set(row.id, false)
      if (!isMissing) this.#log.warn({ err, repo: row.repoId, pack: row.id }, 'a bitmap cannot be used')
      return undefined
    }
  }
}
