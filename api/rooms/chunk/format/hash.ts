import { FormatError } from './format-error.ts'
import { hashBytes, KeyedHash } from './keyed-hash.ts'

const chunks = new KeyedHash('chunk')
const files = new KeyedHash('file')
const scratch = Buffer.alloc(hashBytes)

/**
 * The string form of the hash at `offset` of `bytes`: 64 hex digits, each 8-byte group reversed. It is what stands in
 * addresses, in rows and inside the text of tree nodes.
 */
export function hashText(bytes: Uint8Array, offset = 0): string {
  for (let i = 0; i < hashBytes; i++) scratch[i] = bytes[offset + (i ^ 7)]!
  return scratch.toString('hex')
}

/** The 32 raw bytes of a string form; {@link FormatError} `hash-text` unless it is 64 lower-case hex digits. */
export function hashRaw(text: string): Buffer {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new FormatError('hash-text', 'a hash is 64 lower-case hex digits')
  return swapGroups(Buffer.from(text, 'hex'))
}

/**
 * The 32 bytes with each 8-byte group reversed; its own inverse. A shard keeps a SHA-256 swapped in this way, so that its
 * string form is the ordinary digest.
 */
export function swapGroups(raw: Uint8Array): Buffer {
  const swapped = Buffer.allocUnsafe(hashBytes)
  for (let i = 0; i < hashBytes; i++) swapped[i] = raw[i ^ 7]!
  return swapped
}

/** The hash of one chunk's plain bytes, raw. */
export function chunkHash(bytes: Uint8Array): Buffer {
  chunks.add(bytes)
  return chunks.digest()
}

/** The hash of a file from the tree over all its chunks in order; an empty file has 32 zero bytes for both. */
export function fileHashOf(root: Uint8Array): Buffer {
  if (root.every((byte) => byte === 0)) return Buffer.alloc(hashBytes)
  files.add(root)
  return files.digest()
}

/** The range hash of a term: proof that the sender knew the hash of each of its chunks. One serves any number of terms. */
export class RangeHash {
  readonly #range = new KeyedHash('range')

  /** The next raw chunk hashes of the term: one, or several that lie side by side. */
  add(rawHashes: Uint8Array): void {
    this.#range.add(rawHashes)
  }

  /** The hash of what was added, raw. Starts the next term. */
  digest(): Buffer {
    return this.#range.digest()
  }
}
