import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { applyDelta } from './delta.ts'
import { CorruptObject, ObjectTooLarge } from '../errors.ts'
import { inflateFirst } from './inflate.ts'
import { hashObject, OID_BYTES, type Oid } from '../objects/oid.ts'
import type { PackedObject } from './pack.ts'
import { PACK_HEADER_BYTES, parseEntryHeader, type EntryHeader } from './pack-entry.ts'

/** Objects of a pack in memory by 40-hex oid, in the order they came. */
export type HeldObjects = Map<string, PackedObject>

/** Finds the base of a thin pack's delta, of at most so many bytes. */
export type FindBase = (oid: Oid, maxBytes: number) => Promise<PackedObject | undefined>

/** Above these a pack is git's to take in. git, too, unpacks up to 100 objects one by one (receive.unpackLimit). */
export const MAX_HELD_PACK_BYTES = 1024 * 1024
const MAX_HELD_OBJECTS = 100
const MAX_OBJECT_BYTES = 1024 * 1024
const MAX_INFLATED_BYTES = 4 * 1024 * 1024

const BEGINNING = Buffer.from('PACK\0\0\0\x02', 'latin1')

/**
 * Rebuilds every object of a small pack, in bounded memory: what is declared too large is not inflated, and inflating
 * stops at what was declared. `undefined` when the pack is anything but small and sound: git then says what is wrong.
 */
export async function readHeldPack(bytes: Buffer, find: FindBase): Promise<HeldObjects | undefined> {
  const end = bytes.length - OID_BYTES
  if (end < PACK_HEADER_BYTES || !bytes.subarray(0, BEGINNING.length).equals(BEGINNING)) return undefined
  if (bytes.readUInt32BE(BEGINNING.length) > MAX_HELD_OBJECTS) return undefined
  const sum = createHash('sha1').update(bytes.subarray(0, end)).digest()
  if (!sum.equals(bytes.subarray(end))) return undefined
  try {
    return await new HeldPack(bytes.subarray(0, end), find).read(bytes.readUInt32BE(BEGINNING.length))
  } catch (error) {
    if (error instanceof CorruptObject || error instanceof ObjectTooLarge) return undefined
    throw error
  }
}

class HeldPack {
  readonly #bytes: Buffer
  readonly #find: FindBase
  readonly #objects: HeldObjects = new Map()
  readonly #byOffset = new Map<number, PackedObject>()
  #inflatedBytes = 0

  constructor(bytes: Buffer, find: FindBase) {
    this.#bytes = bytes
    this.#find = find
  }

  /** Throws `CorruptObject`, `ObjectTooLarge`. */
  async read(count: number): Promise<HeldObjects> {
    let at = PACK_HEADER_BYTES
    for (let i = 0; i < count; i++) {
      const header = parseEntryHeader(this.#bytes.subarray(at))
      this.#admit(header.sizeBytes)
      const { content, deflatedBytes } = inflateFirst(
        this.#bytes.subarray(at + header.dataAt),
        header.sizeBytes,
      )
      const object = header.type ? { type: header.type, content } : await this.#patched(header, at, content)
      const oid = hashObject(object.type, object.content).toString('hex')
      if (this.#objects.has(oid)) throw new CorruptObject('a pack that holds an object twice')
      this.#objects.set(oid, object)
      this.#byOffset.set(at, object)
      at += header.dataAt + deflatedBytes
      await breathe()
    }
    if (at !== this.#bytes.length) throw new CorruptObject('a pack with more than its objects')
    return this.#objects
  }

  async #patched(header: EntryHeader, at: number, delta: Buffer): Promise<PackedObject> {
    const base = await this.#baseOf(header, at)
    if (!base) throw new CorruptObject('delta base is not to be found')
    const content = applyDelta(base.content, delta, MAX_OBJECT_BYTES)
    this.#admit(content.length)
    return { type: base.type, content }
  }

  async #baseOf({ baseOid, baseDistance }: EntryHeader, at: number): Promise<PackedObject | undefined> {
    if (baseOid === undefined) return this.#byOffset.get(at - (baseDistance ?? 0))
    return this.#objects.get(baseOid.toString('hex')) ?? this.#find(baseOid, MAX_OBJECT_BYTES)
  }

  #admit(sizeBytes: number): void {
    this.#inflatedBytes += sizeBytes
    if (sizeBytes > MAX_OBJECT_BYTES || this.#inflatedBytes > MAX_INFLATED_BYTES)
      throw new ObjectTooLarge(sizeBytes)
  }
}
