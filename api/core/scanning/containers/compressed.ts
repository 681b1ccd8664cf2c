import { Cursor, type FileBytes } from '../../parsers/index.ts'
import { MAX_DEPTH, type Context } from '../context.ts'
import { measured } from '../inflate/inflated-bytes.ts'

const unscannable: [name: string, head: number[]][] = [
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ['lz4', [0x04, 0x22, 0x4d, 0x18]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['lzma', [0x5d, 0, 0]],
  ['an old format of joblib', [0x5a, 0x46, 0x30, 0x78]],
]

/** The compression that cannot be undone here; nothing for all else. */
export const unscannableCompression = (head: Uint8Array): string | undefined =>
  unscannable.find(([, magic]) => magic.every((byte, i) => head[i] === byte))?.[0]

export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b && head[2] === 8
/** Any window and level: the two bytes are a multiple of 31. */
export const isZlib = (head: Uint8Array): boolean =>
  ((head[0] ?? 0) & 15) === 8 &&
  (head[0] ?? 255) >> 4 <= 7 &&
  (((head[0] ?? 0) << 8) | (head[1] ?? 0)) % 31 === 0

/** Looks into what is compressed by gzip or zlib. */
export function scanCompressed(context: Context, path: string, file: FileBytes): void {
  const { findings, depth, budget, scanInside } = context
  if (depth >= MAX_DEPTH)
    return findings.problem('scan_incomplete', `Archives are nested more than ${MAX_DEPTH} deep.`)
  const head = file.read(0, 4)
  const at = isGzip(head) ? gzipData(file) : 2
  const { bytes, endAt, isDamaged } = measured(file, at, budget)
  scanInside(path.replace(/\.(gz|z)$/i, '').replace(/\.tgz$/i, '.tar'), bytes)
  if (isDamaged) findings.problem('compressed_damaged', 'The compressed data is damaged, or cut.')
  const rest = file.sizeBytes - endAt - (isGzip(head) ? 8 : 4)
  // Python reads gzip members that follow each other as one stream.
  if (!isDamaged && rest > 0)
    findings.problem('compressed_trailing_data', `${rest} bytes follow the compressed data.`)
}

/** Where the data begins behind a gzip header (RFC 1952). */
function gzipData(file: FileBytes): number {
  const cursor = new Cursor(file, 3)
  const flags = cursor.u8()
  cursor.skip(6)
  if (flags & 4) cursor.skip(cursor.u16())
  for (const flag of [8, 16]) if (flags & flag) while (cursor.u8() !== 0);
  if (flags & 2) cursor.skip(2)
  return cursor.at
}
