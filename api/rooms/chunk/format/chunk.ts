import { copyBytes } from '../../../platform/direct-io/index.ts'
import { ungroup } from './bg4.ts'
import { FormatError } from './format-error.ts'
import { decodeLz4Frame } from './lz4.ts'

/** Bytes before the payload of a chunk. */
export const chunkHeaderBytes = 8
/** Most plain bytes of a chunk: where both clients cut at the latest. */
export const maxChunkBytes = 131_072

/** How the payload of a chunk is written. 99, "auto", never reaches the wire. */
export const schemes = { none: 0, lz4: 1, groupedLz4: 2 } as const

/** What stands before the payload of a chunk. */
export interface ChunkHeader {
  /** Bytes of the payload. */
  packed: number
  scheme: number
  /** Bytes of the chunk itself. */
  length: number
}

/**
 * Reads a chunk header: version u8 = 0 · payload length u24 · scheme u8 · plain length u24, little endian. Both clients fall
 * back to scheme 0 when compression gains nothing, so that a longer payload is never right.
 *
 * Throws {@link FormatError} `chunk-header` or `chunk-scheme`.
 */
export function chunkHeader(bytes: Uint8Array, at = 0): ChunkHeader {
  const packed = bytes[at + 1]! | (bytes[at + 2]! << 8) | (bytes[at + 3]! << 16)
  const scheme = bytes[at + 4]!
  const length = bytes[at + 5]! | (bytes[at + 6]! << 8) | (bytes[at + 7]! << 16)
  if (bytes[at] !== 0) throw badHeader(`its version is ${bytes[at]}, and only 0 is known`)
  if (scheme > schemes.groupedLz4)
    throw new FormatError('chunk-scheme', `compression scheme ${scheme} is unknown; 0, 1 and 2 are`)
  if (length === 0 || length > maxChunkBytes)
    throw badHeader(`${length} plain bytes; 1 to ${maxChunkBytes} are allowed`)
  if (scheme === schemes.none ? packed !== length : packed === 0 || packed >= length)
    throw badHeader(`${packed} bytes for ${length} plain bytes under scheme ${scheme}`)
  return { packed, scheme, length }
}

function badHeader(fault: string): FormatError {
  return new FormatError('chunk-header', `bad chunk header: ${fault}`)
}

/** Unpacks chunks, one after the other; holds 128 KiB once it has met a grouped one, 256 KiB for one between shared memory. */
export class ChunkDecoder {
  #grouped: Uint8Array | undefined
  #packed: Uint8Array | undefined
  #plain: Uint8Array | undefined

  /**
   * Unpacks a payload into `out`, which is exactly as long as the header says; no byte outside of it is touched.
   * Throws {@link FormatError} `lz4`.
   */
  unpack(scheme: number, payload: Uint8Array, out: Uint8Array): void {
    if (scheme === schemes.none) copyBytes(out, 0, payload)
    else if (scheme === schemes.lz4) decodeLz4Frame(payload, out)
    else {
      this.#grouped ??= new Uint8Array(maxChunkBytes)
      const grouped = this.#grouped.subarray(0, out.length)
      decodeLz4Frame(payload, grouped)
      ungroup(grouped, out)
    }
  }

  /**
   * Decodes `serialized`, a chunk with its header as it lies in a xorb, and writes exactly `expectedLength` bytes at the
   * start of `out`. Throws {@link FormatError} when the bytes are not such a chunk.
   */
  decode(serialized: Uint8Array, expectedLength: number, out: Uint8Array): void {
    if (serialized.length < chunkHeaderBytes) throw badHeader('it is cut off')
    const { packed, scheme, length } = chunkHeader(serialized)
    if (length !== expectedLength)
      throw badHeader(`${length} plain bytes, and the index says ${expectedLength}`)
    if (packed !== serialized.length - chunkHeaderBytes)
      throw badHeader(`${packed} bytes of payload, and ${serialized.length - chunkHeaderBytes} are there`)
    const payload = serialized.subarray(chunkHeaderBytes)
    if (scheme === schemes.none) return copyBytes(out, 0, payload)
    // Both are slabs, where many small copies take ten times as long.
    this.#packed ??= new Uint8Array(maxChunkBytes)
    this.#plain ??= new Uint8Array(maxChunkBytes)
    copyBytes(this.#packed, 0, payload)
    this.unpack(scheme, this.#packed.subarray(0, packed), this.#plain.subarray(0, length))
    copyBytes(out, 0, this.#plain.subarray(0, length))
  }
}
