import { createHash } from 'node:crypto'
import { CorruptObject } from '../errors.ts'
import { OID_BYTES, type Oid } from '../objects/oid.ts'

/*
 * Pack index version 2 (gitformat-pack):
 *   ff 74 4f 63 · version 2 · fan-out 256 × u32 (count of oids whose first byte ≤ i)
 *   n × oid · n × crc32 · n × u32 offset (top bit set: number of a row in the next table) · m × u64 offset
 *   SHA-1 of the pack · SHA-1 of all the above
 */
const MAGIC = 0xff744f63
const HEADER_BYTES = 8
const FANOUT_BYTES = 256 * 4
const TRAILER_BYTES = 2 * OID_BYTES
const OIDS_AT = HEADER_BYTES + FANOUT_BYTES
const LARGE_OFFSET = 0x8000_0000

/** Where one object lies in a pack. */
export interface IndexEntry {
  oid: Oid
  /** Byte offset of its entry header. */
  offset: number
  /** CRC-32 of its bytes at rest: entry header and deflated content. */
  crc: number
}

/** A pack's index, held in memory and searched in place. */
export class PackIndex {
  readonly bytes: Buffer
  readonly length: number
  #ends: Float64Array | undefined

  private constructor(bytes: Buffer, length: number) {
    this.bytes = bytes
    this.length = length
  }

  /** Checks structure and checksum. Throws `CorruptObject`, also when the index is not of the pack with this trailer. */
  static parse(bytes: Buffer, packSha1?: Buffer): PackIndex {
    if (bytes.length < OIDS_AT + TRAILER_BYTES) throw new CorruptObject('pack index cut short')
    if (bytes.readUInt32BE(0) !== MAGIC || bytes.readUInt32BE(4) !== 2)
      throw new CorruptObject('not a version 2 pack index')
    let last = 0
    for (let i = 0; i < 256; i++) {
      const count = bytes.readUInt32BE(HEADER_BYTES + 4 * i)
      if (count < last) throw new CorruptObject('pack index fan-out not in order')
      last = count
    }
    const least = OIDS_AT + last * (OID_BYTES + 8) + TRAILER_BYTES
    if (bytes.length < least || (bytes.length - least) % 8 !== 0)
      throw new CorruptObject('pack index of wrong length')
    const end = bytes.length - OID_BYTES
    const sum = createHash('sha1').update(bytes.subarray(0, end)).digest()
    if (!sum.equals(bytes.subarray(end))) throw new CorruptObject('pack index checksum is wrong')
    const index = new PackIndex(bytes, last)
    if (packSha1 && !index.packSha1.equals(packSha1)) throw new CorruptObject('index belongs to another pack')
    return index
  }

  /** Trailer of the pack this index was made for. */
  get packSha1(): Buffer {
    const end = this.bytes.length - OID_BYTES
    return this.bytes.subarray(end - OID_BYTES, end)
  }

  oidAt(i: number): Oid {
    return this.bytes.subarray(OIDS_AT + i * OID_BYTES, OIDS_AT + (i + 1) * OID_BYTES)
  }

  crcAt(i: number): number {
    return this.bytes.readUInt32BE(OIDS_AT + this.length * OID_BYTES + 4 * i)
  }

  offsetAt(i: number): number {
    const table = OIDS_AT + this.length * (OID_BYTES + 4)
    const offset = this.bytes.readUInt32BE(table + 4 * i)
    if (offset < LARGE_OFFSET) return offset
    const row = table + 4 * this.length + 8 * (offset - LARGE_OFFSET)
    if (row + 8 > this.bytes.length - TRAILER_BYTES)
      throw new CorruptObject('pack index names a missing 64-bit offset')
    const large = this.bytes.readBigUInt64BE(row)
    if (large > BigInt(Number.MAX_SAFE_INTEGER)) throw new CorruptObject('pack offset out of range')
    return Number(large)
  }

  /** Offset of the object's entry in the pack, or `undefined` when the pack does not hold it. */
  find(oid: Oid): number | undefined {
    const i = this.#search(oid)
    return i === undefined ? undefined : this.offsetAt(i)
  }

  #search(oid: Oid): number | undefined {
    const first = oid[0] ?? 0
    let low = first === 0 ? 0 : this.bytes.readUInt32BE(HEADER_BYTES + 4 * (first - 1))
    let high = this.bytes.readUInt32BE(HEADER_BYTES + 4 * first)
    while (low < high) {
      const middle = (low + high) >>> 1
      const at = OIDS_AT + middle * OID_BYTES
      const order = this.bytes.compare(oid, 0, OID_BYTES, at, at + OID_BYTES)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle
    }
    return undefined
  }

  /** Where the entry that starts at `offset` ends: the next entry, or `packEnd` (start of the trailer). */
  endOf(offset: number, packEnd: number): number {
    this.#ends ??= Float64Array.from({ length: this.length }, (_, i) => this.offsetAt(i)).sort()
    const ends = this.#ends
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((ends[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return ends[low] ?? packEnd
  }
}

/** The index git index-pack would write for these objects, byte for byte. Sorts `entries` in place by oid. */
export function buildIndex(entries: IndexEntry[], packSha1: Buffer): Buffer {
  entries.sort((a, b) => a.oid.compare(b.oid))
  const large = entries.filter((entry) => entry.offset >= LARGE_OFFSET)
  const n = entries.length
  const out = Buffer.alloc(OIDS_AT + n * (OID_BYTES + 8) + large.length * 8 + TRAILER_BYTES)
  out.writeUInt32BE(MAGIC, 0)
  out.writeUInt32BE(2, 4)
  writeFanout(out, entries)
  const crcs = OIDS_AT + n * OID_BYTES
  const offsets = crcs + 4 * n
  let largeRow = 0
  entries.forEach((entry, i) => {
    entry.oid.copy(out, OIDS_AT + i * OID_BYTES)
    out.writeUInt32BE(entry.crc >>> 0, crcs + 4 * i)
    if (entry.offset < LARGE_OFFSET) out.writeUInt32BE(entry.offset, offsets + 4 * i)
    else {
      out.writeUInt32BE(LARGE_OFFSET + largeRow, offsets + 4 * i)
      out.writeBigUInt64BE(BigInt(entry.offset), offsets + 4 * n + 8 * largeRow++)
    }
  })
  const end = out.length - OID_BYTES
  packSha1.copy(out, end - OID_BYTES)
  createHash('sha1').update(out.subarray(0, end)).digest().copy(out, end)
  return out
}

function writeFanout(out: Buffer, entries: IndexEntry[]): void {
  let i = 0
  for (let first = 0; first < 256; first++) {
    while (i < entries.length && (entries[i]?.oid[0] ?? 256) <= first) i++
    out.writeUInt32BE(i, HEADER_BYTES + 4 * first)
  }
}
