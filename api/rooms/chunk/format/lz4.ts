import { decodeBlock } from './lz4-block.ts'
import { FormatError } from './format-error.ts'

const magic = 0x184d2204
const flags = {
  version: 0xc0,
  independent: 0x20,
  blockSums: 0x10,
  size: 0x08,
  sum: 0x04,
  reserved: 0x02,
  dictionary: 0x01,
}
const wordBytes = 4

/** What the header of a frame says. */
interface Frame {
  blocksAt: number
  isIndependent: boolean
  blockSumBytes: number
  sumBytes: number
  /** Most bytes that a block may hold, packed or plain. */
  blockBytes: number
}

/**
 * Decodes one LZ4 frame (the frame format, version 1, of lz4.org) that must fill `out` exactly and end where `frame` does.
 *
 * Writes nowhere else and stops at the first byte that would not fit, whatever the frame claims. Checksums are stepped over,
 * since the hash of the plain bytes is checked anyway; dictionaries, skippable and further frames are refused.
 * Throws {@link FormatError} `lz4`.
 */
export function decodeLz4Frame(frame: Uint8Array, out: Uint8Array): void {
  const input = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const output = new DataView(out.buffer, out.byteOffset, out.byteLength)
  const header = frameHeader(input, out.length)
  let from = header.blocksAt
  let at = 0
  for (;;) {
    const word = wordAt(input, from)
    from += wordBytes
    if (word === 0) break
    const size = word & 0x7fffffff
    if (size > header.blockBytes) throw broken(`a block of ${size} bytes is larger than the frame allows`)
    const end = from + size
    if (end + header.blockSumBytes > frame.length) throw broken('it ends within a block')
    const limit = Math.min(out.length, at + header.blockBytes)
    if (word >>> 31 === 1) at = storeBlock(frame.subarray(from, end), out, at, limit)
    else
      at = decodeBlock(
        { input, output, src: frame, out },
        from,
        end,
        at,
        header.isIndependent ? at : 0,
        limit,
      )
    from = end + header.blockSumBytes
  }
  if (at !== out.length) throw broken(`it holds ${at} bytes, and ${out.length} were declared`)
  if (from + header.sumBytes !== frame.length) throw broken('it does not end where the chunk does')
}

/**
 * Layout: magic u32 · flags u8 · block size u8 · [content size u64] · [dictionary id u32] · header checksum u8.
 */
function frameHeader(input: DataView, declaredBytes: number): Frame {
  if (input.byteLength < 7 || input.getUint32(0, true) !== magic)
    throw broken('it does not begin as an LZ4 frame')
  const flag = input.getUint8(4)
  const size = input.getUint8(5)
  if ((flag & flags.version) !== 0x40 || (flag & flags.reserved) !== 0) throw broken('its version is unknown')
  if ((flag & flags.dictionary) !== 0) throw broken('it needs a dictionary')
  const sizeCode = (size >>> 4) & 7
  if ((size & 0x8f) !== 0 || sizeCode < 4) throw broken('its block size is unknown')
  const hasSize = (flag & flags.size) !== 0
  if (hasSize && (wordAt(input, 6) !== declaredBytes || wordAt(input, 10) !== 0))
    throw broken(`it does not hold the ${declaredBytes} bytes that were declared`)
  return {
    blocksAt: hasSize ? 15 : 7,
    isIndependent: (flag & flags.independent) !== 0,
    blockSumBytes: (flag & flags.blockSums) === 0 ? 0 : wordBytes,
    sumBytes: (flag & flags.sum) === 0 ? 0 : wordBytes,
    blockBytes: 1 << (8 + 2 * sizeCode),
  }
}

function wordAt(input: DataView, at: number): number {
  if (at + wordBytes > input.byteLength) throw broken('it ends too early')
  return input.getUint32(at, true)
}

function storeBlock(bytes: Uint8Array, out: Uint8Array, at: number, limit: number): number {
  if (bytes.length > limit - at) throw broken('it holds more bytes than were declared')
  out.set(bytes, at)
  return at + bytes.length
}

function broken(fault: string): FormatError {
  return new FormatError('lz4', `broken LZ4 frame: ${fault}`)
}
