/** How a frame is written. The defaults are those of hf-xet: blocks of 64 KiB that stand for themselves, no checksums. */
export interface Lz4Options {
  /** 4 to 7: at most 64 KiB, 256 KiB, 1 MiB, 4 MiB to a block. JavaScript takes 7. */
  blockCode?: number
  /** Plain bytes per block, when fewer than the code allows. */
  blockBytes?: number
  /** False as from JavaScript: matches may reach into the blocks before. */
  isIndependent?: boolean
  /** Which blocks are stored as they are; by default those that do not shrink. */
  stored?: 'always' | 'never' | 'larger'
  /** Declares the plain length in the header. */
  hasSize?: boolean
  /** Checksums behind each block and behind the frame. They are zeros: no reader looks at them. */
  hasSums?: boolean
}

const shortestMatch = 4
/** The format ends a block with five literals at least, and begins no match in its last twelve bytes. */
const lastLiterals = 5
const lastMatch = 12
const farthest = 65_535

/** Packs `plain` into one LZ4 frame. Greedy and plain: for tests. */
export function lz4Frame(plain: Uint8Array, options: Lz4Options = {}): Buffer {
  const { blockCode = 4, isIndependent = true, stored = 'larger', hasSize = false, hasSums = false } = options
  const blockBytes = options.blockBytes ?? 1 << (8 + 2 * blockCode)
  const sum = Buffer.alloc(hasSums ? 4 : 0)
  const size = Buffer.alloc(hasSize ? 8 : 0)
  if (hasSize) size.writeUInt32LE(plain.length)
  const flags = 0x40 | (isIndependent ? 0x20 : 0) | (hasSums ? 0x14 : 0) | (hasSize ? 0x08 : 0)
  const parts: Buffer[] = [
    Buffer.from([0x04, 0x22, 0x4d, 0x18, flags, blockCode << 4]),
    size,
    Buffer.alloc(1),
  ]
  const seen = new Map<number, number>()
  for (let from = 0; from < plain.length; from += blockBytes) {
    const end = Math.min(plain.length, from + blockBytes)
    if (isIndependent) seen.clear()
    const packed = lz4Block(plain, from, end, seen)
    const isStored = stored === 'always' || (stored === 'larger' && packed.length >= end - from)
    parts.push(lz4BlockWord(isStored ? end - from : packed.length, isStored))
    parts.push(isStored ? Buffer.from(plain.subarray(from, end)) : packed, sum)
  }
  return Buffer.concat([...parts, Buffer.alloc(4), sum])
}

/** The word before a block. */
export function lz4BlockWord(sizeBytes: number, isStored = false): Buffer {
  const word = Buffer.alloc(4)
  word.writeUInt32LE((sizeBytes | (isStored ? 0x80000000 : 0)) >>> 0)
  return word
}

/** A frame of hf-xet's kind around blocks written by hand, words included. */
export function lz4FrameOf(blocks: Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82]), ...blocks, Buffer.alloc(4)])
}

/** One sequence: literals, then the `matchBytes` that lie `distance` before; only literals when it is the last. */
export function lz4Sequence(literals: Uint8Array, distance?: number, matchBytes = shortestMatch): Buffer {
  const length = distance === undefined ? 0 : matchBytes - shortestMatch
  const token = (Math.min(literals.length, 15) << 4) | Math.min(length, 15)
  const parts = [Buffer.from([token]), more(literals.length), literals]
  if (distance !== undefined) parts.push(Buffer.from([distance & 0xff, distance >>> 8]), more(length))
  return Buffer.concat(parts)
}

/** The bytes after a token for a length it has no room for. */
function more(length: number): Buffer {
  if (length < 15) return Buffer.alloc(0)
  const bytes = Buffer.alloc(Math.floor((length - 15) / 255) + 1, 255)
  bytes[bytes.length - 1] = (length - 15) % 255
  return bytes
}

/** `seen` tells where four bytes were met last, in this block or in those it may lean on. */
function lz4Block(plain: Uint8Array, from: number, end: number, seen: Map<number, number>): Buffer {
  const wordAt = (at: number) =>
    plain[at]! | (plain[at + 1]! << 8) | (plain[at + 2]! << 16) | (plain[at + 3]! << 24)
  const parts: Buffer[] = []
  let anchor = from
  for (let at = from; at < end - lastMatch; at++) {
    const word = wordAt(at)
    const match = seen.get(word)
    seen.set(word, at)
    if (match === undefined || at - match > farthest) continue
    let length = shortestMatch
    while (at + length < end - lastLiterals && plain[match + length] === plain[at + length]) length++
    parts.push(lz4Sequence(plain.subarray(anchor, at), at - match, length))
    for (let i = at + 1; i < at + length; i++) seen.set(wordAt(i), i)
    at += length - 1
    anchor = at + 1
  }
  return Buffer.concat([...parts, lz4Sequence(plain.subarray(anchor, end))])
}
