import { FormatError } from './format-error.ts'
import { hashBytes } from './keyed-hash.ts'
import type { ShardTerm } from './shard-visitor.ts'
import { maxChunks } from './xorb-index.ts'

/*
 * The records of a shard, 48 bytes each, little endian (chunk-upload.md §8).
 *
 * header      tag[32] · version u64 = 2 · footer size u64
 * file        hash[32] · flags u32 · n u32 · u64
 * term        xorb hash[32] · flags u32 · plain bytes u32 · start u32 · end u32
 * range hash  hash[32] · 16 bytes
 * SHA-256     digest, swapped[32] · 16 bytes
 * xorb        hash[32] · flags u32 · n u32 · plain bytes u32 · stored bytes u32
 * chunk       hash[32] · start u32 · length u32 · flags u32 · u32
 * end         32 × ff · 16 bytes
 *
 * A shard is: header, files, end, xorbs, end. A file is followed by n terms, n range hashes and, under its flag, a SHA-256;
 * a xorb by n chunks.
 */

/** Bytes of every record. */
export const recordBytes = 48
/** What the header begins with: `HFRepoMetaData`, a zero, and 17 bytes of no meaning. */
export const shardTag = Buffer.from('48465265706f4d6574614461746100556967456a7b815783a5bdd95ccdd14aa9', 'hex')
const shardVersion = 2
/** Flags of a file. */
export const fileFlags = { rangeHashes: 0x80000000, sha256: 0x40000000 } as const

/** The 32 bytes that every record but the header begins with: a view, not a copy. */
export function hashAt(bytes: Buffer, at: number): Buffer {
  return bytes.subarray(at, at + hashBytes)
}

export function isEndMarker(bytes: Buffer, at: number): boolean {
  for (let i = 0; i < hashBytes; i++) if (bytes[at + i] !== 0xff) return false
  return true
}

/**
 * The term whose record lies at `at`; its hash is a view. Throws {@link FormatError} `shard-term` when no xorb could have
 * its chunks.
 */
export function termAt(bytes: Buffer, at: number): ShardTerm {
  const unpacked = bytes.readUInt32LE(at + 36)
  const start = bytes.readUInt32LE(at + 40)
  const end = bytes.readUInt32LE(at + 44)
  if (start >= end || end > maxChunks)
    throw new FormatError('shard-term', `a term cannot have the chunks from ${start} to ${end}`)
  return { xorb: hashAt(bytes, at), unpacked, start, end }
}

/** Checks the header of a shard of `totalBytes` bytes. Throws {@link FormatError} `shard-header`. */
export function checkHeader(bytes: Buffer, at: number, totalBytes: number): void {
  if (!hashAt(bytes, at).equals(shardTag)) throw new FormatError('shard-header', 'this is no shard')
  const version = u64(bytes, at + 32)
  if (version !== shardVersion)
    throw new FormatError('shard-header', `shard version ${version} is unknown; ${shardVersion} is`)
  const footer = u64(bytes, at + 40)
  const records = 3 * recordBytes
  if (records + footer > totalBytes)
    throw new FormatError('shard-header', `a footer of ${footer} bytes does not fit into the shard`)
}

/** Exact below 2^53, and no less than that above. */
function u64(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32
}
