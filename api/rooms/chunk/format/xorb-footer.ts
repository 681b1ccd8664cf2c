import { FormatError } from './format-error.ts'
import { hashBytes } from './keyed-hash.ts'

/** What a footer begins with, where a chunk header would begin with 0. */
const ident = Buffer.from('XETBLOB', 'latin1')
const hashesIdent = Buffer.from('XBLBHSH\u0000', 'latin1')
const boundariesIdent = Buffer.from('XBLBBND\u0001', 'latin1')
const lengthBytes = 4

/** Whether the bytes at `at` begin a footer rather than a chunk. */
export function isFooter(bytes: Uint8Array, at: number): boolean {
  return ident.every((byte, i) => bytes[at + i] === byte)
}

/** Bytes of the footer of a xorb of `n` chunks in this version, the length after it included. */
export function footerBytes(version: number, n: number): number {
  if (version === 1) return 92 + 40 * n + lengthBytes
  if (version === 0) return 60 + 36 * n + lengthBytes
  throw broken(`its version is ${version}, and only 0 and 1 are known`)
}

/**
 * Checks a whole footer of a xorb of `n` chunks as far as it must be one. What it says of the chunks is not read: they were
 * counted, measured and hashed themselves. hf-xet before 1.6 sends footers.
 *
 * Version 1: ident · version u8 · xorb hash · `XBLBHSH` 0 · n u32 · n hashes · `XBLBBND` 1 · n u32 · n × end u32 ·
 * n × unpacked end u32 · n u32 · two offsets u32 · 16 bytes. Version 0: ident · version u8 · xorb hash · n u32 · n × end u32 ·
 * n hashes · 16 bytes. After both: their length u32. Throws {@link FormatError} `xorb-footer`.
 */
export function checkFooter(footer: Buffer, n: number): void {
  const version = footer[ident.length]!
  const infoBytes = footer.length - lengthBytes
  if (footer.readUInt32LE(infoBytes) !== infoBytes) throw broken('it lies about its length')
  const first = ident.length + 1 + hashBytes
  if (version === 0) {
    if (footer.readUInt32LE(first) !== n) throw broken(`it is not of ${n} chunks`)
    return
  }
  const second = first + hashesIdent.length + 4 + n * hashBytes
  const third = second + boundariesIdent.length + 4 + n * 8
  const hasIdents =
    footer.subarray(first, first + hashesIdent.length).equals(hashesIdent) &&
    footer.subarray(second, second + boundariesIdent.length).equals(boundariesIdent)
  if (!hasIdents) throw broken('a section does not begin where it should')
  const counts = [first + hashesIdent.length, second + boundariesIdent.length, third]
  if (counts.some((at) => footer.readUInt32LE(at) !== n)) throw broken(`it is not of ${n} chunks`)
}

function broken(fault: string): FormatError {
  return new FormatError('xorb-footer', `broken xorb footer: ${fault}`)
}
