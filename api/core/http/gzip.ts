import { promisify } from 'node:util'
import { constants, gzip as gzipCallback } from 'node:zlib'

const gzipBytes = promisify(gzipCallback)

/** What is made for one request, at a level that takes little longer than the fastest. */
export const gzip = (bytes: Uint8Array | string): Promise<Uint8Array<ArrayBuffer>> =>
  gzipBytes(bytes, { level: constants.Z_BEST_SPEED + 3 })

export const takesGzip = (acceptEncoding = ''): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding)

/** Smaller answers, in bytes, fit into one packet as they are. */
export const leastGzipBytes = 1400
