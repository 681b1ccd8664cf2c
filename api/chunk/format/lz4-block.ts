import { FormatError } from './format-error.ts'

/** The same bytes twice, read and written by bytes and by words. */
export interface BlockBytes {
  src: Uint8Array
  input: DataView
  out: Uint8Array
  output: DataView
}

const shortestMatch = 4
/** From here on a native copy beats a loop, call included. */
const nativeCopy = 96

/**
 * Decodes one LZ4 block, `src[from, end)`, to `out[at, …)`, and says where the output ends. A match reaches back to `base`
 * at most; nothing is written at or after `limit`.
 *
 * Layout of a sequence: token u8 (literal length, match length less four) · [literal length, 255 at a time] · literals ·
 * distance u16 · [match length]. The last sequence ends after its literals.
 *
 * Runs are copied by words, which may write up to three bytes more than asked: into space the next run fills.
 */
export function decodeBlock(
  { src, input, out, output }: BlockBytes,
  from: number,
  end: number,
  at: number,
  base: number,
  limit: number,
): number {
  const roomy = limit - 8
  const lastWord = src.length - 8
  while (from < end) {
    const token = src[from++]!
    let literals = token >>> 4
    if (literals === 15) {
      let more = 255
      while (more === 255 && from < end) literals += more = src[from++]!
      if (more === 255) throw broken('a length has no end')
    }
    const literalEnd = at + literals
    const fromEnd = from + literals
    if (fromEnd > end) throw broken('literals are cut off')
    if (literalEnd > limit) throw broken('it holds more bytes than were declared')
    if (literals >= nativeCopy) out.set(src.subarray(from, fromEnd), at)
    else if (literalEnd <= roomy && fromEnd <= lastWord) {
      for (; at < literalEnd; at += 4, from += 4) output.setInt32(at, input.getInt32(from, true), true)
    } else while (at < literalEnd) out[at++] = src[from++]!
    at = literalEnd
    from = fromEnd
    if (from === end) return at

    if (end - from < 2) throw broken('a distance is cut off')
    const distance = src[from]! | (src[from + 1]! << 8)
    from += 2
    let length = token & 15
    if (length === 15) {
      let more = 255
      while (more === 255 && from < end) length += more = src[from++]!
      if (more === 255) throw broken('a length has no end')
    }
    const matchEnd = at + length + shortestMatch
    let match = at - distance
    if (distance === 0 || match < base) throw broken('a match begins before the first byte')
    if (matchEnd > limit) throw broken('it holds more bytes than were declared')
    if (length >= nativeCopy) repeat(out, at, matchEnd, distance)
    else if (distance >= 4 && matchEnd <= roomy) {
      for (; at < matchEnd; at += 4, match += 4) output.setInt32(at, output.getInt32(match, true), true)
    } else while (at < matchEnd) out[at++] = out[match++]!
    at = matchEnd
  }
  throw broken('a block ends with a match')
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
