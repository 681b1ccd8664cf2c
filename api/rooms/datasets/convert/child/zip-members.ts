import { createReadStream, fstatSync, openSync, readSync, closeSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { FormatFault, type FileBytes } from '../../../../core/parsers/index.ts'
import { zipDirectories, type ZipEntry } from '../../../../core/scanning/index.ts'
import { bounded } from './decompress.ts'
import type { LocalFile } from './messages.ts'
import { notReadable, TaskFault } from './task-fault.ts'

/** A file within a zip file. */
export interface ZipMember {
  /** Name of the archive and of the member, for people. */
  name: string
  /** Path within the archive. */
  path: string
  packedBytes: number
  /** Its bytes as they were before packing. Throws at the end where they are not what was packed. */
  open(): AsyncIterable<Buffer>
}

const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const ENCRYPTED = 0x1 | 0x40
const [STORED, DEFLATED] = [0, 8]
/** A member is in memory as a whole. */
const MAX_MEMBER_BYTES = 256 * 1024 * 1024

export const isZip = ({ name }: LocalFile): boolean => name.toLowerCase().endsWith('.zip')

/** The data files in a zip file, in the order the library reads them: those of a folder before those of its folders. */
export function zipMembers(file: LocalFile): ZipMember[] {
  const fd = openSync(file.path, 'r')
  try {
    const bytes = bytesOf(fd)
    const [directory] = directoriesOf(bytes, file.name)
    if (!directory) throw notReadable(`The file ${file.name} is no zip file, or its end is missing.`)
    const files = directory.entries.filter(({ name }) => !name.endsWith('/') && !isHidden(name))
    return files.toSorted((a, b) => inOrder(a.name, b.name)).map((entry) => memberOf(file, bytes, entry))
  } finally {
    closeSync(fd)
  }
}

const bytesOf = (fd: number): FileBytes => ({
  sizeBytes: fstatSync(fd).size,
  read: (offset, length) => {
    const buffer = Buffer.alloc(Math.max(0, length))
    return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, offset))
  },
})

function directoriesOf(bytes: FileBytes, name: string) {
  try {
    return zipDirectories(bytes)
  } catch (error) {
    if (error instanceof FormatFault) throw notReadable(`The file ${name} cannot be read: ${error.message}`)
    throw error
  }
}

const isHidden = (name: string) =>
  name.split('/').some((part) => part.startsWith('.') || part.startsWith('__'))

function inOrder(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')]
  for (let i = 0; ; i++) {
    const [isFile, isOtherFile] = [i === one.length - 1, i === other.length - 1]
    if (isFile !== isOtherFile) return isFile ? -1 : 1
    const order = Buffer.compare(Buffer.from(one[i] ?? ''), Buffer.from(other[i] ?? ''))
    if (order !== 0 || isFile) return order
  }
}

function memberOf(file: LocalFile, bytes: FileBytes, entry: ZipEntry): ZipMember {
  const name = `${entry.name} in ${file.name}`
  const header = Buffer.from(bytes.read(entry.at, LOCAL_BYTES))
  if (header.length < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL)
    throw notReadable(`The file ${name} is not where the directory of the archive says.`)
  if (entry.flags & ENCRYPTED)
    throw notReadable(`The file ${name} is encrypted. Upload it without a password.`)
  if (entry.method !== STORED && entry.method !== DEFLATED)
    throw notReadable(`The file ${name} is packed by method ${entry.method}, which is not read here.`)
  const start = entry.at + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  return {
    name,
    path: entry.name,
    packedBytes: entry.packedBytes,
    open: () => unpacked(file.path, start, entry),
  }
}

async function* unpacked(path: string, start: number, entry: ZipEntry): AsyncGenerator<Buffer> {
  let sum = 0
  if (entry.packedBytes > 0) {
    const end = start + entry.packedBytes - 1
    const packed = createReadStream(path, { start, end, highWaterMark: 1 << 20 })
    const plain: AsyncIterable<Buffer> =
      entry.method === STORED ? packed : pipeline(packed, createInflateRaw(), () => undefined)
    for await (const chunk of plain) {
      sum = crc32(chunk, sum)
      yield chunk
    }
  }
  if (sum !== entry.crc) throw new Error('its bytes do not have the sum that the archive says')
}

/** All bytes of a member. Throws `TaskFault` where they are too many, or not what was packed. */
export async function memberBytes(member: ZipMember): Promise<Buffer> {
  const [chunks, most] = [[] as Buffer[], MAX_MEMBER_BYTES / 1024 ** 2]
  let size = 0
  try {
    for await (const chunk of bounded(member.open(), member.name, member.packedBytes)) {
      size += chunk.length
      if (size > MAX_MEMBER_BYTES)
        throw notReadable(
          `The file ${member.name} has more than ${most} MiB, which is the limit of a cell and of a metadata file.`,
        )
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof TaskFault || !(error instanceof Error)) throw error
    throw notReadable(`The file ${member.name} cannot be decompressed: ${error.message}.`)
  }
  return Buffer.concat(chunks)
}
