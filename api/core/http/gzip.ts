import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, gzip as gzipCallback } from 'node:zlib'
import type { ByteSource } from '../../stores/storage/index.ts'

const gzipBytes = promisify(gzipCallback)

/** For what is made for one request: it takes little longer than the fastest. */
const level = constants.Z_BEST_SPEED + 3

/** All of it at once. */
export const gzip = (bytes: Uint8Array | string): Promise<Uint8Array<ArrayBuffer>> =>
  gzipBytes(bytes, { level })

/** The same bytes compressed as they come, at the pace of who reads them. */
export function gzipped(source: ByteSource): ByteSource {
  // Who reads learns of an error; closing one end closes the other.
  return pipeline(source, createGzip({ level }), () => undefined)
}

export const takesGzip = (acceptEncoding = ''): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding)

/** Smaller answers, in bytes, fit into one packet as they are. */
export const leastGzipBytes = 1400
