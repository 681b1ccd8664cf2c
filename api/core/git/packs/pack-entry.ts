import { CorruptObject } from '../errors.ts'
import type { ObjectType } from '../objects/oid.ts'

/*
 * A pack (gitformat-pack): `PACK` · version 2 · object count · entries · SHA-1 of all before it.
 * An entry: first byte c ttt ssss, then 7 size bits per byte while c is set; after it
 *   type 6: offset back to the base, big-endian groups of 7 bits, each further group adding 1
 *   type 7: 20 bytes, oid of the base
 * and the deflated content (for 6 and 7: a delta). The size is that of the inflated content.
 */
export const PACK_HEADER_BYTES = 12
/** An entry header is never longer: 10 size bytes and 20 of a base oid. */
export const ENTRY_HEADER_MAX_BYTES = 32

const TYPES: Record<number, ObjectType> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }
const CODES: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 }

/** One entry as its header tells it. `dataAt` counts from the start of the entry. */
export interface EntryHeader {
  /** Absent for a delta: the base has the type. */
  type?: ObjectType
  /** Inflated length of the content, or of the delta. */
  sizeBytes: number
  dataAt: number
  /** Distance back to the base (OFS_DELTA). */
  baseDistance?: number
  /** Oid of the base (REF_DELTA). */
  baseOid?: Buffer
}

/** Reads an entry header from the first bytes of an entry. Throws `CorruptObject`. */
export function parseEntryHeader(bytes: Buffer): EntryHeader {
  let at = 0
  let byte = byteAt(bytes, at++)
  const code = (byte >> 4) & 7
  let sizeBytes = byte & 15
  for (let scale = 16; byte & 0x80; scale *= 128) {
    if (scale > 2 ** 46) throw new CorruptObject('pack entry of absurd size')
    byte = byteAt(bytes, at++)
    sizeBytes += (byte & 0x7f) * scale
  }
  const type = TYPES[code]
  if (type) return { type, sizeBytes, dataAt: at }
  if (code === 7) {
    if (at + 20 > bytes.length) throw new CorruptObject('pack entry cut short')
    return { sizeBytes, baseOid: bytes.subarray(at, at + 20), dataAt: at + 20 }
  }
  if (code !== 6) throw new CorruptObject(`pack entry of unknown type ${code}`)
  byte = byteAt(bytes, at++)
  let baseDistance = byte & 0x7f
  while (byte & 0x80) {
    byte = byteAt(bytes, at++)
    baseDistance = (baseDistance + 1) * 128 + (byte & 0x7f)
    if (baseDistance > Number.MAX_SAFE_INTEGER / 256) throw new CorruptObject('delta base out of range')
  }
  return { sizeBytes, baseDistance, dataAt: at }
}

/** Header bytes of an undeltified entry. */
export function formatEntryHeader(type: ObjectType, sizeBytes: number): Buffer {
  const out: number[] = []
  let byte = (CODES[type] << 4) | (sizeBytes % 16)
  let rest = Math.floor(sizeBytes / 16)
  while (rest > 0) {
    out.push(byte | 0x80)
    byte = rest % 128
    rest = Math.floor(rest / 128)
  }
  out.push(byte)
  return Buffer.from(out)
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw new CorruptObject('pack entry cut short')
  return byte
}
