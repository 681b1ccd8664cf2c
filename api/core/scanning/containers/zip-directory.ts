import { Cursor, FormatFault, type FileBytes } from '../../parsers/index.ts'

const END = 0x06054b50
const END_BYTES = 22
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const ENTRY = 0x02014b50
const MAX_COMMENT = 65_535
const MAX_ENTRIES = 200_000
const MAX_ENDS = 4

/** A member as the central directory says it. */
export interface ZipEntry {
  name: string
  flags: number
  method: number
  crc: number
  packedBytes: number
  sizeBytes: number
  /** Where its local header is, in the file. */
  at: number
  isLink: boolean
}

/** One reading of a zip file. */
export interface ZipDirectory {
  entries: ZipEntry[]
  /** Bytes before the archive begins. */
  prefixBytes: number
  /** Bytes behind its comment. */
  trailingBytes: number
}

/**
 * The central directories of a file, as each end record that is there names them: torch and Python may take different ones.
 * None where it is no zip.
 */
export function zipDirectories(file: FileBytes): ZipDirectory[] {
  const from = Math.max(0, file.sizeBytes - END_BYTES - MAX_COMMENT)
  const tail = Buffer.from(file.read(from, file.sizeBytes - from))
  const found = new Map<number, ZipDirectory>()
  let ends = 0
  for (let i = tail.length - END_BYTES; i >= 0 && ends < MAX_ENDS; i--) {
    if (tail.readUInt32LE(i) !== END) continue
    ends++
    for (const [at, directory] of directoriesAt(file, from + i, tail.subarray(i)))
      if (!found.has(at)) found.set(at, directory)
  }
  return [...found.values()]
}

function* directoriesAt(file: FileBytes, endAt: number, end: Buffer): Generator<[number, ZipDirectory]> {
  let count = end.readUInt16LE(10)
  let size = end.readUInt32LE(12)
  let offset = end.readUInt32LE(16)
  let recordAt = endAt
  const wide = endAt >= 20 ? new Cursor(file, endAt - 20) : undefined
  if (wide?.u32() === LOCATOR_64) {
    wide.skip(4)
    const stated = Number(wide.u64())
    // The record lies before its locator, where it is not moved by bytes in front of the archive.
    for (const at of [endAt - 20 - 56, stated]) {
      if (at < 0 || at + 56 > file.sizeBytes) continue
      const record = new Cursor(file, at)
      if (record.u32() !== END_64) continue
      record.seek(at + 32)
      count = Number(record.u64())
      size = Number(record.u64())
      offset = Number(record.u64())
      recordAt = at
      break
    }
  }
  const trailingBytes = file.sizeBytes - endAt - END_BYTES - end.readUInt16LE(20)
  // Python believes the size and so finds archives behind other bytes; torch believes the offset.
  const behind = recordAt - size
  for (const at of new Set([behind, offset])) {
    const entries =
      at >= 0 && at <= recordAt ? entriesAt(file, at, count, at === behind ? behind - offset : 0) : undefined
    if (entries)
      yield [
        at,
        { entries, prefixBytes: Math.max(0, behind - offset), trailingBytes: Math.max(0, trailingBytes) },
      ]
  }
}

function entriesAt(file: FileBytes, at: number, count: number, moved: number): ZipEntry[] | undefined {
  if (count > MAX_ENTRIES)
    throw new FormatFault('scan_incomplete', `The archive has more than ${MAX_ENTRIES} members.`)
  const cursor = new Cursor(file, at)
  const entries: ZipEntry[] = []
  try {
    for (let i = 0; i < count; i++) {
      const entry = readEntry(cursor, moved)
      if (!entry) return undefined
      entries.push(entry)
    }
  } catch (error) {
    if (!(error instanceof FormatFault)) throw error
    return undefined
  }
  return entries
}

function readEntry(cursor: Cursor, moved: number): ZipEntry | undefined {
  if (cursor.u32() !== ENTRY) return undefined
  cursor.skip(4)
  const [flags, method] = [cursor.u16(), cursor.u16()]
  cursor.skip(4)
  const [crc, packed, size] = [cursor.u32(), cursor.u32(), cursor.u32()]
  const [nameBytes, extraBytes, commentBytes] = [cursor.u16(), cursor.u16(), cursor.u16()]
  cursor.skip(4)
  const [attributes, offset] = [cursor.u32(), cursor.u32()]
  const name = Buffer.from(cursor.take(nameBytes)).toString('utf8')
  const wide = wideSizes(Buffer.from(cursor.take(extraBytes)), size, packed, offset)
  cursor.skip(commentBytes)
  return {
    name,
    flags,
    method,
    crc,
    ...wide,
    at: wide.at + moved,
    isLink: ((attributes >>> 16) & 0o170000) === 0o120000,
  }
}

/** Zip64 keeps what 32 bits do not hold in an extra field, in this order. */
function wideSizes(extra: Buffer, size: number, packed: number, offset: number) {
  let sizes = [size, packed, offset]
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let from = at + 4
    sizes = sizes.map((value) => {
      if (value !== 0xffffffff || from + 8 > extra.length) return value
      from += 8
      return Number(extra.readBigUInt64LE(from - 8))
    })
    break
  }
  const [sizeBytes = 0, packedBytes = 0, at = 0] = sizes
  return { sizeBytes, packedBytes, at }
}
