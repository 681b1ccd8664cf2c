import type { FileBytes } from '../parsers/index.ts'

const WINDOW = 1024 * 1024

/** Places of a text of bytes in a part of a file, by what it holds. Windows overlap by `overlap`, so nothing is cut. */
export function* windows(
  file: FileBytes,
  from: number,
  end: number,
  overlap: number,
): Generator<{ bytes: Buffer; at: number }> {
  for (let at = from; at < end; at += WINDOW - overlap) {
    const bytes = Buffer.from(file.read(at, Math.min(WINDOW, end - at)))
    if (bytes.length === 0) return
    yield { bytes, at }
    if (at + bytes.length >= end) return
  }
}

/** Whether a file holds one of some byte strings, and which first. */
export function firstOf(file: FileBytes, needles: readonly string[]): string | undefined {
  const wanted = needles.map((needle) => Buffer.from(needle, 'latin1'))
  const overlap = Math.max(...wanted.map((needle) => needle.length))
  for (const { bytes } of windows(file, 0, file.sizeBytes, overlap)) {
    const found = wanted.findIndex((needle) => bytes.includes(needle))
    if (found !== -1) return needles[found]
  }
  return undefined
}
