import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { POINTER_MAX_BYTES } from '../lfs/pointer.ts'
import { contentFault, judgedAt, sizeFault } from './push/judged-files.ts'

const inflated = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)
/** `blob`, a blank, the size and NUL (gitformat-loose). */
const HEADER_BYTES = 32
// Also of one that is no longer well formed: no such text is meant to be a file.
const POINTER_BEGINNING = 'version https://git-lfs'

/**
 * Content of a blob that git has just written as a loose object below `dir`; `undefined` when it lies in a pack, so was
 * there before.
 */
export async function readLoose(
  dir: string,
  oid: string,
  maxBytes: number,
): Promise<Buffer | 'too-large' | undefined> {
  const path = join(dir, 'objects', oid.slice(0, 2), oid.slice(2))
  const stored = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!stored) return undefined
  try {
    const object = await inflated(stored, { maxOutputLength: maxBytes + HEADER_BYTES })
    const content = object.subarray(object.indexOf(0) + 1)
    return content.length > maxBytes ? 'too-large' : content
  } catch (error) {
    if (error instanceof RangeError) return 'too-large'
    throw error
  }
}

/** Whether what a merge of lines has made may stand: no pointer put together of two, nothing git would object to. */
export function isSound(path: string, content: Buffer): boolean {
  const isPointer =
    content.length < POINTER_MAX_BYTES && content.toString('latin1').startsWith(POINTER_BEGINNING)
  const file = judgedAt(path)
  const fault = file && (sizeFault(file, content.length) ?? contentFault(file, content))
  return !isPointer && fault === undefined
}
