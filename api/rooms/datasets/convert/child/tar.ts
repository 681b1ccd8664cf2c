import type { FileHandle } from 'node:fs/promises'

/** A regular file of a tar archive. */
export interface TarMember {
  name: string
  bytes: Buffer
  /** Where the next member begins. */
  end: number
}

/** The archive ends within a member. */
export class TarCut extends Error {}
/** A member that is damaged, or too large to be one cell. */
export class TarFault extends Error {}

const BLOCK = 512
/** A page of a Parquet file is read whole, up to so many bytes. */
const MAX_MEMBER_BYTES = 256 * 1024 * 1024
const MAX_NAME_BYTES = 64 * 1024

/**
 * The files of a tar archive in their order (POSIX.1-2017 pax, "ustar Interchange Format"). A header of 512 bytes has the
 * name at 0, the size at 124, the checksum at 148, the type at 156, `ustar` at 257 and the beginning of a long name at 345.
 * GNU's `L` and pax' `x` members come before the member whose name or size they give.
 */
export async function* tarMembers(file: FileHandle): AsyncGenerator<TarMember> {
  let at = 0
  let next: { name?: string; size?: number } = {}
  for (;;) {
    const header = await read(file, at, BLOCK)
    if (header.every((byte) => byte === 0)) return
    if (header.length < BLOCK) throw new TarCut()
    checkSum(header)
    const size = next.size ?? numberAt(header, 124, 12)
    const type = String.fromCharCode(header[156] ?? 0)
    const start = at + BLOCK
    at = start + Math.ceil(size / BLOCK) * BLOCK
    if (type === 'L' || type === 'x') {
      const text = (await body(file, start, size, MAX_NAME_BYTES)).toString('utf8')
      next = { ...next, ...(type === 'L' ? { name: text.replace(/\0.*$/s, '') } : paxOf(text)) }
      continue
    }
    const { name = nameOf(header) } = next
    next = {}
    if (type !== '0' && type !== '\0' && type !== '7') continue
    yield { name, bytes: await body(file, start, size, MAX_MEMBER_BYTES), end: at }
  }
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}

async function body(file: FileHandle, at: number, size: number, most: number): Promise<Buffer> {
  if (size > most) throw new TarFault(`a member of ${size} bytes is larger than ${most}`)
  const bytes = await read(file, at, size)
  if (bytes.length < size) throw new TarCut()
  return bytes
}

const textAt = (header: Buffer, at: number, length: number) =>
  header.toString('utf8', at, at + length).replace(/\0.*$/s, '')

/** Octal digits; where the first bit is set, a binary number of the bytes behind it, as GNU writes large ones. */
function numberAt(header: Buffer, at: number, length: number): number {
  const first = header[at] ?? 0
  const number =
    (first & 0x80) === 0
      ? Number.parseInt(textAt(header, at, length).trim() || '0', 8)
      : Number(BigInt(`0x${header.toString('hex', at + 1, at + length)}`))
  if (!Number.isSafeInteger(number) || number < 0) throw new TarFault('a header has an impossible size')
  return number
}

function checkSum(header: Buffer): void {
  const sum = header.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 0x20 : byte), 0)
  if (sum !== numberAt(header, 148, 8)) throw new TarFault('a header has a wrong checksum')
}

function nameOf(header: Buffer): string {
  const name = textAt(header, 0, 100)
  const isUstar = header.toString('latin1', 257, 263) === 'ustar\0'
  const prefix = isUstar ? textAt(header, 345, 155) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

/** Records of pax: `{length} {key}={value}\n`. */
function paxOf(text: string): { name?: string; size?: number } {
  const [, name] = /(?:^|\n)\d+ path=([^\n]*)/.exec(text) ?? []
  const [, size] = /(?:^|\n)\d+ size=(\d+)/.exec(text) ?? []
  return { ...(name === undefined ? {} : { name }), ...(size === undefined ? {} : { size: Number(size) }) }
}
