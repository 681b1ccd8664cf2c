import { gunzip, gzip } from 'node:zlib'
import { promisify } from 'node:util'

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** Larger rows are not kept. Bytes, compressed. */
const MAX_PACKED_BYTES = 2 * 1024 * 1024
/** No row of ours unpacks to more. Bytes. */
const MAX_JSON_BYTES = 64 * 1024 * 1024

/** A value as bytes of a row; nothing where it is too large to be kept. */
export async function packed(value: unknown): Promise<Buffer | undefined> {
  const json = JSON.stringify(value)
  if (json.length > MAX_JSON_BYTES / 4) return undefined
  const bytes = await pack(json)
  return bytes.length <= MAX_PACKED_BYTES ? bytes : undefined
}

/** The value of a row; nothing where the bytes are damaged. */
export async function unpacked<T>(bytes: Buffer): Promise<T | undefined> {
  try {
    return JSON.parse((await unpack(bytes, { maxOutputLength: MAX_JSON_BYTES })).toString('utf8')) as T
  } catch {
    return undefined
  }
}
