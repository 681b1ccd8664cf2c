import { FormatError } from './format-error.ts'

/** A frame and the space for what it holds, each as bytes and as words. */
export interface BlockBytes {
  src: Uint8Array
  input: DataView
  out: Uint8Array
  output: DataView
}

const shortestMatch = 4
/** From here on a native copy beats a loop, call included. */
const nativeCopy = 96
/** Bytes that a loop copies at once, and so may write too many, less one. */
const stride = 8

/**
 * Decodes one LZ4 block, `src[from, end)`, to `out[at, …)`, and says where the output ends. A match reaches back to `base`
 * at most; nothing is written at or after `limit`.
 *
 * Layout of a sequence: token u8 (literal length, match length less four) · [literal length, 255 at a time] · literals ·
 * distance u16 · [match length]. The last sequence ends after its literals.
 */
export function decodeBlock(
  bytes: BlockBytes,
  from: number,
  end: number,
  at: number,
  base: number,
  limit: number,
): number {
  const { src } = bytes
  while (from < end) {
    const token = src[from++]!
    let literals = token >>> 4
    if (literals === 15) {
      const more = longer(src, from, end)
      literals += more
      from += bytesOf(more)
    }
    if (literals > end - from) throw broken('literals are cut off')
    if (literals > limit - at) throw broken('it holds more bytes than were declared')
    if (literals > 0) copyLiterals(bytes, from, at, literals, limit)
    from += literals
    at += literals
    if (from === end) return at

    if (end - from < 2) throw broken('a distance is cut off')
    const distance = src[from]! | (src[from + 1]! << 8)
    from += 2
    let length = (token & 15) + shortestMatch
    if (length === 15 + shortestMatch) {
      const more = longer(src, from, end)
      length += more
      from += bytesOf(more)
    }
    if (distance === 0 || distance > at - base) throw broken('a match begins before the first byte')
    if (length > limit - at) throw broken('it holds more bytes than were declared')
    copyMatch(bytes, distance, at, length, limit)
    at += length
  }
  throw broken('a block ends with a match')
}

/** What the bytes at `from` add to a length: 255 for each that is 255, and the one after them. */
function longer(src: Uint8Array, from: number, end: number): number {
  let sum = 0
  while (from < end) {
    const byte = src[from++]!
    sum += byte
    if (byte !== 255) return sum
  }
  throw broken('a length has no end')
}

/** How many bytes {@link longer} read for `sum`. */
function bytesOf(sum: number): number {
  return ((sum / 255) | 0) + 1
}

/** May write up to seven bytes more, below `limit`: the next sequence writes there anyway. */
function copyLiterals(
  { src, input, out, output }: BlockBytes,
  from: number,
  at: number,
  length: number,
  limit: number,
): void {
  const end = at + length
  if (length >= nativeCopy) out.set(src.subarray(from, from + length), at)
  else if (end <= limit - stride && from + length <= src.length - stride) {
    for (; at < end; at += stride, from += stride) {
      output.setInt32(at, input.getInt32(from, true), true)
      output.setInt32(at + 4, input.getInt32(from + 4, true), true)
    }
  } else while (at < end) out[at++] = src[from++]!
}

/** As {@link copyLiterals}; what is copied may begin with bytes that are being written. */
function copyMatch(
  { out, output }: BlockBytes,
  distance: number,
  at: number,
  length: number,
  limit: number,
): void {
  const end = at + length
  let match = at - distance
  if (length >= nativeCopy) repeat(out, at, end, distance)
  else if (distance >= 4 && end <= limit - stride) {
    for (; at < end; at += stride, match += stride) {
      output.setInt32(at, output.getInt32(match, true), true)
      output.setInt32(at + 4, output.getInt32(match + 4, true), true)
    }
  } else while (at < end) out[at++] = out[match++]!
}

/** Fills `out[at, end)` with what lies `distance` before, doubling what is copied at once when the two overlap. */
function repeat(out: Uint8Array, at: number, end: number, distance: number): void {
  const match = at - distance
  if (distance === 1) {
    out.fill(out[match]!, at, end)
    return
  }
  while (at < end) {
    const step = Math.min(at - match, end - at)
    out.copyWithin(at, match, match + step)
    at += step
  }
}

function broken(fault: string): FormatError {
  return new FormatError('lz4', `broken LZ4 frame: ${fault}`)
}
