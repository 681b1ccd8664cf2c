import { hashBytes, KeyedHash } from './keyed-hash.ts'

const largestGroup = 9
const smallestCut = 3
/** Most characters of one node: 64 hex digits, ` : `, a length below 2^53, a line feed. */
const nodeText = 64 + 3 + 16 + 1
const hexPairs = Buffer.from(
  Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(''),
  'latin1',
)

/** The nodes of one level that wait for their group to end, as the text they are hashed in. */
interface Level {
  text: Uint8Array
  used: number
  nodes: number
  lengthBytes: number
  /** Nodes there were since the start, ended groups included. */
  total: number
  first: Buffer
}

/**
 * The tree hash over a list of chunks (chunk-upload.md §6), one chunk at a time. A group ends with the ninth node, or from
 * the third on with one whose last u64 divides by four; what ends a group is known when its last node comes, so each level
 * holds at most nine nodes, whatever the length of the list.
 */
export class HashTree {
  readonly #levels: Level[] = []
  readonly #node = new KeyedHash('node')
  readonly #hash = Buffer.alloc(hashBytes)

  /** The next chunk: its raw hash, which is copied, and its plain length. The sum of all lengths stays below 2^53. */
  add(hash: Uint8Array, lengthBytes: number): void {
    this.#addAt(0, hash, lengthBytes)
  }

  /** The raw root of what was added, 32 zero bytes for an empty list. Starts the next list. */
  root(): Buffer {
    let root = Buffer.alloc(hashBytes)
    for (let depth = 0; (this.#levels[depth]?.total ?? 0) > 0; depth++) {
      const level = this.#levels[depth]!
      // A list of one is its own root; a group of one that is left over of a longer list is hashed again.
      if (level.total === 1) root = Buffer.from(level.first)
      else if (level.nodes > 0) this.#endGroup(depth, level)
    }
    for (const level of this.#levels) Object.assign(level, { used: 0, nodes: 0, lengthBytes: 0, total: 0 })
    return root
  }

  #addAt(depth: number, hash: Uint8Array, lengthBytes: number): void {
    const level = (this.#levels[depth] ??= emptyLevel())
    if (level.total === 0) level.first.set(hash)
    level.total++
    level.nodes++
    level.lengthBytes += lengthBytes
    level.used = writeNode(level.text, level.used, hash, lengthBytes)
    const isCut = level.nodes >= smallestCut && (hash[24]! & 3) === 0
    if (isCut || level.nodes === largestGroup) this.#endGroup(depth, level)
  }

  #endGroup(depth: number, level: Level): void {
    this.#node.add(level.text.subarray(0, level.used))
    this.#node.digestInto(this.#hash, 0)
    const lengthBytes = level.lengthBytes
    level.used = 0
    level.nodes = 0
    level.lengthBytes = 0
    this.#addAt(depth + 1, this.#hash, lengthBytes)
  }
}

function emptyLevel(): Level {
  const text = new Uint8Array(largestGroup * nodeText)
  return { text, used: 0, nodes: 0, lengthBytes: 0, total: 0, first: Buffer.alloc(hashBytes) }
}

/** Writes `<string form> : <decimal length>\n` at `at`; where it ends. */
function writeNode(text: Uint8Array, at: number, hash: Uint8Array, lengthBytes: number): number {
  for (let i = 0; i < hashBytes; i++) {
    const byte = hash[i ^ 7]!
    text[at++] = hexPairs[2 * byte]!
    text[at++] = hexPairs[2 * byte + 1]!
  }
  text[at++] = 0x20
  text[at++] = 0x3a
  text[at++] = 0x20
  const end = at + digitsOf(lengthBytes)
  writeDigits(text, end, lengthBytes)
  text[end] = 0x0a
  return end + 1
}

function digitsOf(value: number): number {
  let digits = 1
  for (let bound = 10; value >= bound; bound *= 10) digits++
  return digits
}

/** Writes the decimal digits of `value` so that they end at `end`. */
function writeDigits(text: Uint8Array, end: number, value: number): void {
  let at = end
  let large = value
  while (large > 0x7fffffff) {
    const digit = large % 10
    text[--at] = 0x30 + digit
    // Exact: a multiple of ten divided by ten, where flooring the quotient would round near 2^53.
    large = (large - digit) / 10
  }
  // Division of small integers takes a sixth of the time of that of doubles, and nearly every length is one.
  let small = large | 0
  do {
    const rest = (small / 10) | 0
    text[--at] = 0x30 + small - 10 * rest
    small = rest
  } while (small > 0)
}
