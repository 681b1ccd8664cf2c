import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** What an archive says of one file. */
export interface ZipFile {
  name: string
  sizeBytes: number
  crc: number
  mode: number
  /** Where its bytes begin. */
  dataAt: number
}

interface Central extends ZipFile {
  offset: number
  flags: number
}

const MAX_CRC_BYTES = 2 ** 26

/**
 * Reads an archive as APPNOTE 6.3 describes it and believes nothing that is said once: each number is compared with
 * its twin, every byte must belong to something, and the bytes of files up to 64 MiB must have their CRC. Python's reader
 * looks for the ZIP64 record where it ought to be (3.11, zipfile.py, `_EndRecData64`); Java and macOS go where the
 * locator points. This one demands both.
 */
export function readStrictly(path: string): ZipFile[] {
  const file = openSync(path, 'r')
  try {
    const end = readEnd(file)
    const files = readCentral(bytesAt(file, end.directoryAt, end.directoryBytes), end.count)
    let at = 0
    for (const entry of files) {
      same(`${entry.name}: offset`, entry.offset, at)
      at = checkLocal(file, entry)
    }
    same('start of the directory', end.directoryAt, at)
    return files
  } finally {
    closeSync(file)
    window.file = -1
  }
}

function readEnd(file: number) {
  const { size } = fstatSync(file)
  const end = bytesAt(file, size - 22, 22)
  same('end record', end.readUInt32LE(0), 0x06054b50)
  for (const at of [4, 6, 20]) same(`end record, ${at}`, end.readUInt16LE(at), 0)
  same('counts', end.readUInt16LE(8), end.readUInt16LE(10))
  const small = {
    count: end.readUInt16LE(8),
    directoryBytes: end.readUInt32LE(12),
    directoryAt: end.readUInt32LE(16),
  }
  const isLarge = small.count === 0xffff || Math.max(small.directoryBytes, small.directoryAt) === 0xffff_ffff
  if (!isLarge) {
    same('end of the directory', small.directoryAt + small.directoryBytes, size - 22)
    return small
  }
  const large = readEnd64(file, size - 42)
  same('count', small.count, Math.min(large.count, 0xffff))
  same('length of the directory', small.directoryBytes, Math.min(large.directoryBytes, 0xffff_ffff))
  same('start of the directory', small.directoryAt, Math.min(large.directoryAt, 0xffff_ffff))
  return large
}

function readEnd64(file: number, locatorAt: number) {
  const locator = bytesAt(file, locatorAt, 20)
  same('locator', locator.readUInt32LE(0), 0x07064b50)
  same('disk of the ZIP64 record', locator.readUInt32LE(4), 0)
  same('disks', locator.readUInt32LE(16), 1)
  const recordAt = number(locator, 8)
  same('place of the ZIP64 record', recordAt, locatorAt - 56)
  const record = bytesAt(file, recordAt, 56)
  same('ZIP64 record', record.readUInt32LE(0), 0x06064b50)
  same('length of the ZIP64 record', number(record, 4), 44)
  same('disks of the ZIP64 record', number(record, 16), 0)
  same('counts of the ZIP64 record', number(record, 24), number(record, 32))
  const found = {
    count: number(record, 24),
    directoryBytes: number(record, 40),
    directoryAt: number(record, 48),
  }
  same('end of the directory', found.directoryAt + found.directoryBytes, recordAt)
  return found
}

function readCentral(bytes: Buffer, count: number): Central[] {
  const files: Central[] = []
  let at = 0
  while (at < bytes.length) {
    same('central header', bytes.readUInt32LE(at), 0x02014b50)
    const [nameBytes, extraBytes] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30)]
    const name = textOf(bytes.subarray(at + 46, at + 46 + nameBytes))
    const extra = bytes.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes)
    const short = [24, 20, 42].map((field) => bytes.readUInt32LE(at + field))
    const [sizeBytes = 0, packedBytes, offset = 0] = widened(name, short, extra)
    same(`${name}: sizes`, sizeBytes, packedBytes)
    same(`${name}: version`, bytes.readUInt16LE(at + 6), extraBytes > 0 ? 45 : 20)
    const flags = bytes.readUInt16LE(at + 8)
    const [crc, mode] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 38) >>> 16]
    files.push({ name, sizeBytes, crc, mode, offset, flags, dataAt: 0 })
    at += 46 + nameBytes + extraBytes
  }
  same('files', files.length, count)
  return files
}

/** Numbers that stand in the ZIP64 field, in its order, where 32 bits do not hold them; all of the field is used. */
function widened(name: string, short: number[], extra: Buffer): number[] {
  const isWide = short.filter((value) => value === 0xffff_ffff).length
  same(`${name}: length of the ZIP64 field`, extra.length, isWide === 0 ? 0 : 4 + 8 * isWide)
  if (isWide === 0) return short
  same(`${name}: ZIP64 field`, extra.readUInt16LE(0), 1)
  same(`${name}: its length`, extra.readUInt16LE(2), 8 * isWide)
  let at = -4
  return short.map((value) => (value === 0xffff_ffff ? number(extra, (at += 8)) : value))
}

/** Checks the local header, the bytes and the descriptor of a file; answers where the next one begins. */
function checkLocal(file: number, entry: Central): number {
  const { name, sizeBytes, crc, offset, flags } = entry
  const header = bytesAt(file, offset, 30)
  same(`${name}: local header`, header.readUInt32LE(0), 0x04034b50)
  same(`${name}: flags`, header.readUInt16LE(6), flags)
  const [nameBytes, extraBytes] = [header.readUInt16LE(26), header.readUInt16LE(28)]
  const rest = bytesAt(file, offset + 30, nameBytes + extraBytes)
  same('local name', textOf(rest.subarray(0, nameBytes)), name)
  const short = [22, 18].map((field) => header.readUInt32LE(field))
  for (const size of widened(name, short, rest.subarray(nameBytes)))
    same(`${name}: local size`, size, sizeBytes)
  entry.dataAt = offset + 30 + nameBytes + extraBytes
  if (sizeBytes <= MAX_CRC_BYTES)
    same(`${name}: CRC of its bytes`, crc32(bytesAt(file, entry.dataAt, sizeBytes)), crc)
  const isLarge = extraBytes > 0
  const descriptor = bytesAt(file, entry.dataAt + sizeBytes, isLarge ? 24 : 16)
  same(`${name}: descriptor`, descriptor.readUInt32LE(0), 0x08074b50)
  same(`${name}: CRC`, descriptor.readUInt32LE(4), crc)
  const sizes = isLarge
    ? [number(descriptor, 8), number(descriptor, 16)]
    : [descriptor.readUInt32LE(8), descriptor.readUInt32LE(12)]
  for (const size of sizes) same(`${name}: size`, size, sizeBytes)
  return entry.dataAt + sizeBytes + descriptor.length
}

/** The last bytes that were read: headers are small, and lie side by side. */
let window = { file: -1, at: 0, bytes: Buffer.alloc(0) }

function bytesAt(file: number, at: number, length: number): Buffer {
  if (file !== window.file || at < window.at || at + length > window.at + window.bytes.length) {
    const bytes = Buffer.alloc(Math.max(length, 2 ** 20))
    window = { file, at, bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, at)) }
  }
  const found = window.bytes.subarray(at - window.at, at - window.at + length)
  same(`bytes at ${at}`, found.length, length)
  return found
}

const number = (bytes: Buffer, at: number) => Number(bytes.readBigUInt64LE(at))
const textOf = (bytes: Buffer) => new TextDecoder('utf8', { fatal: true }).decode(bytes)

function same(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what}: ${String(found)} instead of ${String(expected)}`)
}
