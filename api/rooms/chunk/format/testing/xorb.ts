import { chunkHash } from '../hash.ts'
import { indexOf, type XorbIndex } from '../xorb-index.ts'
import { lz4Frame, type Lz4Options } from './lz4.ts'

/** A chunk to be packed: its plain bytes, and how. */
export interface GivenChunk {
  plain: Uint8Array
  /** 0 none, 1 LZ4, 2 BG4 and LZ4. As from the clients, 0 is taken where the other gains nothing. */
  scheme?: number
  lz4?: Lz4Options
}

/** A whole xorb that a server must accept. */
export interface GivenXorb {
  /** What is sent, footer included. */
  body: Buffer
  index: XorbIndex
  /** Its chunks, unpacked. */
  plains: Uint8Array[]
}

/** Builds a xorb of these chunks, without a footer (0.2.0 of the JavaScript client, hf-xet 1.6) or with an older client's. */
export function givenXorb(chunks: GivenChunk[], footer?: 0 | 1): GivenXorb {
  const packed = chunks.map((chunk) => givenChunk(chunk))
  let end = 0
  const ends = packed.map((bytes) => (end += bytes.length))
  const index = indexOf(
    Buffer.concat(chunks.map(({ plain }) => chunkHash(plain))),
    Uint32Array.from(ends),
    Uint32Array.from(chunks.map(({ plain }) => plain.length)),
  )
  const tail = footer === undefined ? [] : [givenFooter(index, footer)]
  return { body: Buffer.concat([...packed, ...tail]), index, plains: chunks.map(({ plain }) => plain) }
}

/** One chunk as it lies in a xorb, header included. */
export function givenChunk({ plain, scheme = 0, lz4 }: GivenChunk): Buffer {
  const payload = scheme === 0 ? plain : lz4Frame(scheme === 2 ? group(plain) : plain, lz4)
  if (payload.length >= plain.length) return rawChunk(0, plain.length, plain)
  return rawChunk(scheme, plain.length, payload)
}

/** A chunk whose header says what you like. */
export function rawChunk(
  scheme: number,
  length: number,
  payload: Uint8Array,
  { version = 0, packed = payload.length } = {},
): Buffer {
  const header = Buffer.alloc(8)
  header[0] = version
  header.writeUIntLE(packed, 1, 3)
  header[4] = scheme
  header.writeUIntLE(length, 5, 3)
  return Buffer.concat([header, payload])
}

/** BG4: every fourth byte, from each of four starts. */
export function group(plain: Uint8Array): Buffer {
  return Buffer.concat([0, 1, 2, 3].map((start) => Buffer.from(plain.filter((_, i) => i % 4 === start))))
}

/** The footer of a xorb; `n` is the number of chunks it claims. */
export function givenFooter(index: XorbIndex, version: 0 | 1, n = index.n): Buffer {
  const ident = Buffer.concat([Buffer.from('XETBLOB'), Buffer.from([version]), index.hash])
  const ends = u32s([...index.ends])
  let plain = 0
  const plainEnds = u32s([...index.lengths].map((length) => (plain += length)))
  const hashes = Buffer.concat([Buffer.from('XBLBHSH\0'), u32s([n]), index.hashes])
  const boundaries = Buffer.concat([Buffer.from('XBLBBND\u0001'), u32s([n]), ends, plainEnds])
  const last = 4 + 4 + 4 + 16
  const offsets = u32s([n, last + boundaries.length + hashes.length, last + boundaries.length])
  const spare = Buffer.alloc(16)
  const footer =
    version === 1
      ? Buffer.concat([ident, hashes, boundaries, offsets, spare])
      : Buffer.concat([ident, u32s([n]), ends, index.hashes, spare])
  return Buffer.concat([footer, u32s([footer.length])])
}

export function u32s(values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, 4 * i)
  return bytes
}
