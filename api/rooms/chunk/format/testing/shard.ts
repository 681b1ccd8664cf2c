import { createHash } from 'node:crypto'
import { fileHashOf, RangeHash, swapGroups } from '../hash.ts'
import { shardTag } from '../shard-records.ts'
import { HashTree } from '../tree.ts'
import { u32s, type GivenXorb } from './xorb.ts'

/** A file as a shard describes it. Every field may lie. */
export interface GivenFile {
  hash: Uint8Array
  terms: { xorb: Uint8Array; unpacked: number; start: number; end: number; rangeHash: Uint8Array }[]
  /** Digest bytes; left out under hf-xet's `SKIP_SHA256`. */
  sha256?: Uint8Array | undefined
  /** Instead of what the other fields call for. */
  flags?: number
  n?: number
}

/** A xorb as a shard describes it. Every field may lie. */
export interface GivenXorbRecord {
  hash: Uint8Array
  unpacked: number
  chunks: { hash: Uint8Array; start: number; length: number }[]
  n?: number
}

export interface GivenShard {
  files?: GivenFile[]
  xorbs?: GivenXorbRecord[]
  /** Nothing (hf-xet 1.6), a footer (JavaScript), or look-up tables and a footer (older hf-xet). */
  tail?: 'none' | 'footer' | 'tables'
  version?: number
  /** Instead of the footer's size. */
  footerBytes?: number
}

/** The bytes of a shard. */
export function givenShard({
  files = [],
  xorbs = [],
  tail = 'none',
  version = 2,
  footerBytes,
}: GivenShard): Buffer {
  const size = footerBytes ?? (tail === 'none' ? 0 : 200)
  const header = Buffer.concat([shardTag, u32s([version, 0, size, 0])])
  const fileSection = Buffer.concat([...files.map(fileRecords), endMarker])
  const xorbSection = Buffer.concat([...xorbs.map(xorbRecords), endMarker])
  const body = Buffer.concat([header, fileSection, xorbSection])
  if (tail === 'none') return body
  const chunkCount = xorbs.reduce((sum, { chunks }) => sum + chunks.length, 0)
  const tables =
    tail === 'footer'
      ? Buffer.alloc(0)
      : Buffer.alloc(12 * (files.length + xorbs.length) + 16 * chunkCount, 7)
  const footer = Buffer.alloc(200)
  footer.writeBigUInt64LE(1n, 0)
  footer.writeBigUInt64LE(48n, 8)
  footer.writeBigUInt64LE(BigInt(48 + fileSection.length), 16)
  footer.writeBigUInt64LE(BigInt(body.length + tables.length), 192)
  return Buffer.concat([body, tables, footer])
}

/** A file of these runs of chunks that is true in every field, and its bytes. */
export function givenFile(
  runs: { xorb: GivenXorb; start: number; end: number }[],
): GivenFile & { plain: Buffer } {
  const tree = new HashTree()
  const range = new RangeHash()
  const plains: Uint8Array[] = []
  const terms = runs.map(({ xorb: { index, plains: chunks }, start, end }) => {
    const hashes = index.hashes.subarray(32 * start, 32 * end)
    range.add(hashes)
    for (let i = start; i < end; i++) tree.add(index.hashes.subarray(32 * i, 32 * i + 32), chunks[i]!.length)
    const run = chunks.slice(start, end)
    plains.push(...run)
    const unpacked = run.reduce((sum, { length }) => sum + length, 0)
    return { xorb: index.hash, unpacked, start, end, rangeHash: range.digest() }
  })
  const plain = Buffer.concat(plains)
  return { hash: fileHashOf(tree.root()), terms, sha256: createHash('sha256').update(plain).digest(), plain }
}

/** The record of a xorb that is true in every field. */
export function givenXorbRecord({ index }: GivenXorb): GivenXorbRecord {
  let start = 0
  const chunks = [...index.lengths].map((length, i) => {
    const chunk = { hash: index.hashes.subarray(32 * i, 32 * i + 32), start, length }
    start += length
    return chunk
  })
  return { hash: index.hash, unpacked: index.unpacked, chunks }
}

const endMarker = Buffer.concat([Buffer.alloc(32, 0xff), Buffer.alloc(16)])

function fileRecords({ hash, terms, sha256, flags, n = terms.length }: GivenFile): Buffer {
  const asked = flags ?? 0x80000000 + (sha256 ? 0x40000000 : 0)
  return Buffer.concat([
    hash,
    u32s([asked, n, 0, 0]),
    ...terms.flatMap(({ xorb, unpacked, start, end }) => [xorb, u32s([0, unpacked, start, end])]),
    ...terms.flatMap(({ rangeHash }) => [rangeHash, Buffer.alloc(16)]),
    ...(sha256 ? [swapGroups(sha256), Buffer.alloc(16)] : []),
  ])
}

function xorbRecords({ hash, unpacked, chunks, n = chunks.length }: GivenXorbRecord): Buffer {
  return Buffer.concat([
    hash,
    u32s([0, n, unpacked, 0]),
    ...chunks.flatMap(({ hash: chunk, start, length }) => [chunk, u32s([start, length, 0, 0])]),
  ])
}
