import { crc32 } from 'node:zlib'
import type { ByteSource } from '../../../stores/storage/index.ts'

/** One file of an archive. `open` is called when its turn comes. */
export interface ZipEntry {
  /** Relative, with `/`; checked by the caller. */
  name: string
  sizeBytes: number
  isExecutable: boolean
  open(): Promise<ByteSource>
}

const LIMIT_32 = 0xffff_ffff
const LIMIT_16 = 0xffff
// Bit 3: CRC follows the bytes in a descriptor. Bit 11: names are UTF-8 (APPNOTE 4.4.4).
const FLAGS = 0x0808
const VERSION = 20
const VERSION_64 = 45
const MADE_BY_UNIX = 3 << 8

interface Written {
  name: Buffer
  sizeBytes: number
  crc: number
  offset: number
  mode: number
}

/**
 * A ZIP archive of stored (uncompressed) files, as bytes on their way: models and Parquet do not shrink. Sizes stand in
 * the local headers already, so that readers of streams can follow; ZIP64 only where a number does not fit. `at` is
 * every file's time, UTC. Throws when a source has another length than declared.
 *
 * Our own, since libraries fall short for stored files of known size whose CRC is not known yet. `yazl` 3.3.1 streams and
 * writes ZIP64, but its local headers then have sizes of zero, with which readers of streams cannot find the end of a stored
 * file, and no ZIP64 field though the descriptor has 64-bit sizes. Its times follow the server's time zone, so that servers
 * in two zones make different bytes.
 */
export async function* zip(entries: Iterable<ZipEntry>, at: Date): ByteSource {
  const directory: Written[] = []
  const stamp = dosTime(at)
  let offset = 0
  for (const entry of entries) {
    const written = describe(entry, offset)
    const header = localHeader(written, stamp)
    yield header
    for await (const chunk of exactly(await entry.open(), entry)) {
      written.crc = crc32(chunk, written.crc)
      yield chunk
    }
    const trailer = descriptor(written)
    yield trailer
    directory.push(written)
    offset += header.length + entry.sizeBytes + trailer.length
  }
  const start = offset
  for (const written of directory) {
    const header = centralHeader(written, stamp)
    offset += header.length
    yield header
  }
  yield endOfDirectory(directory.length, offset - start, start)
}

/** Exact length of the archive `zip` makes of these files. */
export function zipSizeBytes(entries: Iterable<Pick<ZipEntry, 'name' | 'sizeBytes'>>): number {
  const stamp = { time: 0, date: 0 }
  let offset = 0
  let count = 0
  let directoryBytes = 0
  for (const entry of entries) {
    const written = describe({ ...entry, isExecutable: false }, offset)
    offset += localHeader(written, stamp).length + entry.sizeBytes + descriptor(written).length
    directoryBytes += centralHeader(written, stamp).length
    count++
  }
  return offset + directoryBytes + endOfDirectory(count, directoryBytes, offset).length
}

function describe(entry: Pick<ZipEntry, 'name' | 'sizeBytes' | 'isExecutable'>, offset: number): Written {
  const mode = entry.isExecutable ? 0o100755 : 0o100644
  return { name: Buffer.from(entry.name, 'utf8'), sizeBytes: entry.sizeBytes, crc: 0, offset, mode }
}

async function* exactly(source: ByteSource, { name, sizeBytes }: ZipEntry): ByteSource {
  let length = 0
  for await (const chunk of source) {
    length += chunk.byteLength
    if (length > sizeBytes) break
    yield chunk
  }
  if (length !== sizeBytes) throw new Error(`${name} is not the ${sizeBytes} bytes it was said to be`)
}

const isLarge = ({ sizeBytes }: Written) => sizeBytes >= LIMIT_32

function localHeader(entry: Written, { time, date }: Stamp): Buffer {
  const extra = isLarge(entry) ? extra64([entry.sizeBytes, entry.sizeBytes]) : Buffer.alloc(0)
  const out = Buffer.alloc(30)
  out.writeUInt32LE(0x04034b50, 0)
  out.writeUInt16LE(isLarge(entry) ? VERSION_64 : VERSION, 4)
  out.writeUInt16LE(FLAGS, 6)
  out.writeUInt16LE(time, 10)
  out.writeUInt16LE(date, 12)
  out.writeUInt32LE(Math.min(entry.sizeBytes, LIMIT_32), 18)
  out.writeUInt32LE(Math.min(entry.sizeBytes, LIMIT_32), 22)
  out.writeUInt16LE(entry.name.length, 26)
  out.writeUInt16LE(extra.length, 28)
  return Buffer.concat([out, entry.name, extra])
}

function descriptor(entry: Written): Buffer {
  const out = Buffer.alloc(isLarge(entry) ? 24 : 16)
  out.writeUInt32LE(0x08074b50, 0)
  out.writeUInt32LE(entry.crc, 4)
  if (isLarge(entry)) {
    out.writeBigUInt64LE(BigInt(entry.sizeBytes), 8)
    out.writeBigUInt64LE(BigInt(entry.sizeBytes), 16)
  } else {
    out.writeUInt32LE(entry.sizeBytes, 8)
    out.writeUInt32LE(entry.sizeBytes, 12)
  }
  return out
}

function centralHeader(entry: Written, { time, date }: Stamp): Buffer {
  const isFar = entry.offset >= LIMIT_32
  const numbers = [
    ...(isLarge(entry) ? [entry.sizeBytes, entry.sizeBytes] : []),
    ...(isFar ? [entry.offset] : []),
  ]
  const extra = numbers.length > 0 ? extra64(numbers) : Buffer.alloc(0)
  const version = numbers.length > 0 ? VERSION_64 : VERSION
  const out = Buffer.alloc(46)
  out.writeUInt32LE(0x02014b50, 0)
  out.writeUInt16LE(MADE_BY_UNIX | version, 4)
  out.writeUInt16LE(version, 6)
  out.writeUInt16LE(FLAGS, 8)
  out.writeUInt16LE(time, 12)
  out.writeUInt16LE(date, 14)
  out.writeUInt32LE(entry.crc, 16)
  out.writeUInt32LE(Math.min(entry.sizeBytes, LIMIT_32), 20)
  out.writeUInt32LE(Math.min(entry.sizeBytes, LIMIT_32), 24)
  out.writeUInt16LE(entry.name.length, 28)
  out.writeUInt16LE(extra.length, 30)
  out.writeUInt32LE((entry.mode << 16) >>> 0, 38)
  out.writeUInt32LE(Math.min(entry.offset, LIMIT_32), 42)
  return Buffer.concat([out, entry.name, extra])
}

function extra64(numbers: number[]): Buffer {
  const out = Buffer.alloc(4 + 8 * numbers.length)
  out.writeUInt16LE(1, 0)
  out.writeUInt16LE(8 * numbers.length, 2)
  numbers.forEach((n, i) => out.writeBigUInt64LE(BigInt(n), 4 + 8 * i))
  return out
}

function endOfDirectory(count: number, sizeBytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, LIMIT_16), 8)
  end.writeUInt16LE(Math.min(count, LIMIT_16), 10)
  end.writeUInt32LE(Math.min(sizeBytes, LIMIT_32), 12)
  end.writeUInt32LE(Math.min(offset, LIMIT_32), 16)
  if (count < LIMIT_16 && sizeBytes < LIMIT_32 && offset < LIMIT_32) return end
  return Buffer.concat([endOfDirectory64(count, sizeBytes, offset), end])
}

/** The ZIP64 record and the locator that says where it starts. */
function endOfDirectory64(count: number, sizeBytes: number, offset: number): Buffer {
  const out = Buffer.alloc(56 + 20)
  out.writeUInt32LE(0x06064b50, 0)
  out.writeBigUInt64LE(44n, 4)
  out.writeUInt16LE(MADE_BY_UNIX | VERSION_64, 12)
  out.writeUInt16LE(VERSION_64, 14)
  out.writeBigUInt64LE(BigInt(count), 24)
  out.writeBigUInt64LE(BigInt(count), 32)
  out.writeBigUInt64LE(BigInt(sizeBytes), 40)
  out.writeBigUInt64LE(BigInt(offset), 48)
  out.writeUInt32LE(0x07064b50, 56)
  out.writeBigUInt64LE(BigInt(offset + sizeBytes), 64)
  out.writeUInt32LE(1, 72)
  return out
}

interface Stamp {
  time: number
  date: number
}

/** MS-DOS date and time: two-second steps from 1980 to 2107. */
function dosTime(at: Date): Stamp {
  const year = Math.min(2107, Math.max(1980, at.getUTCFullYear()))
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}
