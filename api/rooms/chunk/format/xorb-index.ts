import { chunkHeaderBytes, maxChunkBytes } from './chunk.ts'
import { FormatError } from './format-error.ts'
import { hashBytes } from './keyed-hash.ts'
import { HashTree } from './tree.ts'

/** Most chunks of a xorb, and so at most 1 GiB unpacked. */
export const maxChunks = 8192
const entryBytes = hashBytes + 4 + 4

/** What a verified xorb holds. */
export interface XorbIndex {
  /** The hash it is named by, raw: the tree over its chunks. */
  hash: Buffer
  /** Number of chunks, 1 to {@link maxChunks}. */
  n: number
  /** Their raw hashes, side by side: n × 32 bytes. */
  hashes: Buffer
  /** Where each ends in the body; the first begins at 0, its 8-byte header included. */
  ends: Uint32Array
  /** Their plain lengths. */
  lengths: Uint32Array
  /** Sum of the plain lengths. */
  unpacked: number
  /** Bytes of the body, without a footer. */
  bodyBytes: number
}

/** The index of a xorb from the lists of its chunks. */
export function indexOf(hashes: Buffer, ends: Uint32Array, lengths: Uint32Array): XorbIndex {
  const tree = new HashTree()
  let unpacked = 0
  for (const [i, length] of lengths.entries()) {
    unpacked += length
    tree.add(hashes.subarray(i * hashBytes, (i + 1) * hashBytes), length)
  }
  return {
    hash: tree.root(),
    n: lengths.length,
    hashes,
    ends,
    lengths,
    unpacked,
    bodyBytes: ends.at(-1) ?? 0,
  }
}

/** The stored form: n u32, then for each chunk its raw hash, end u32 and plain length u32; little endian. */
export function encodeIndex(index: XorbIndex): Buffer {
  const bytes = Buffer.allocUnsafe(4 + index.n * entryBytes)
  bytes.writeUInt32LE(index.n, 0)
  for (let i = 0, at = 4; i < index.n; i++, at += entryBytes) {
    index.hashes.copy(bytes, at, i * hashBytes, (i + 1) * hashBytes)
    bytes.writeUInt32LE(index.ends[i]!, at + hashBytes)
    bytes.writeUInt32LE(index.lengths[i]!, at + hashBytes + 4)
  }
  return bytes
}

/**
 * Reads the stored form back. Throws {@link FormatError} `xorb-index` unless it describes a xorb that could exist; that its
 * hash is the expected one is for the caller to compare.
 */
export function decodeIndex(bytes: Uint8Array): XorbIndex {
  const stored = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const n = stored.length < 4 ? 0 : stored.readUInt32LE(0)
  if (n === 0 || n > maxChunks) throw broken(`${n} chunks; 1 to ${maxChunks} are allowed`)
  if (stored.length !== 4 + n * entryBytes) throw broken(`${stored.length} bytes for ${n} chunks`)
  const hashes = Buffer.allocUnsafe(n * hashBytes)
  const ends = new Uint32Array(n)
  const lengths = new Uint32Array(n)
  let start = 0
  for (let i = 0, at = 4; i < n; i++, at += entryBytes) {
    stored.copy(hashes, i * hashBytes, at, at + hashBytes)
    const end = (ends[i] = stored.readUInt32LE(at + hashBytes))
    const length = (lengths[i] = stored.readUInt32LE(at + hashBytes + 4))
    const packed = end - start - chunkHeaderBytes
    if (length > maxChunkBytes || packed < 1 || packed > length) throw broken(`chunk ${i} cannot be so long`)
    start = end
  }
  return indexOf(hashes, ends, lengths)
}

function broken(fault: string): FormatError {
  return new FormatError('xorb-index', `broken xorb index: ${fault}`)
}
