import { imageSize } from 'image-size'
import { extensionOf } from './extension.ts'
import type { Asset, LinkedFile, WriteCell } from './out.ts'

function sizeOf(bytes: Uint8Array): { width: number | null; height: number | null } {
  try {
    const { width, height, orientation } = imageSize(bytes.subarray(0, 65_536))
    // EXIF 5 to 8 lie on their side.
    return (orientation ?? 1) >= 5 ? { width: height, height: width } : { width, height }
  } catch {
    return { width: null, height: null }
  }
}

/** A media cell: `{bytes, path}` as `datasets` stores it, or the bytes alone. */
export const mediaWriter =
  (kind: Asset['kind']): WriteCell =>
  (value, out, at) => {
    const { bytes, path } = storedMedia(value)
    if (bytes)
      out.addMedia({
        kind,
        at,
        extension: extensionOf(bytes),
        size: bytes.length,
        ...(kind === 'Image' ? sizeOf(bytes) : { width: null, height: null }),
      })
    else if (path !== undefined) out.addMedia({ kind, path } satisfies LinkedFile)
    else out.add('null')
  }

/** The bytes and the path of a stored media value. */
export function storedMedia(value: unknown): { bytes?: Uint8Array; path?: string } {
  if (value instanceof Uint8Array) return { bytes: value }
  if (typeof value !== 'object' || value === null) return {}
  const { bytes, path } = value as { bytes?: unknown; path?: unknown }
  return {
    ...(bytes instanceof Uint8Array ? { bytes } : {}),
    ...(path instanceof Uint8Array ? { path: Buffer.from(path).toString('utf8') } : {}),
  }
}
