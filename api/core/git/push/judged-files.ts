import { judgedFile, type JudgedFile } from './disguises.ts'
import { gitmodulesFault, MAX_GITMODULES_BYTES } from './gitmodules.ts'
import type { NameFault } from '../names.ts'

/** Longer lines end git's check, as longer files do (attr.h, ATTR_MAX_LINE_LENGTH and ATTR_MAX_FILE_SIZE). Bytes. */
export const MAX_ATTRIBUTES_LINE_BYTES = 2047
const MAX_ATTRIBUTES_BYTES = 100 * 1024 * 1024

/** The judged file a path leads to. */
export function judgedAt(path: string): JudgedFile | undefined {
  return judgedFile(path.slice(path.lastIndexOf('/') + 1))
}

/** How much of a judged file must be at hand to be judged; more is refused, or judged while it streams. Bytes. */
export const MAX_JUDGED_BYTES = MAX_GITMODULES_BYTES

/** Why `git fsck --strict` would object to this content, or `undefined`. */
export function contentFault(file: JudgedFile, content: Buffer): NameFault | undefined {
  if (file === '.gitmodules') return gitmodulesFault(content)
  if (content.length > MAX_ATTRIBUTES_BYTES) return tooLarge(MAX_ATTRIBUTES_BYTES)
  return new LineMeter().isWithin(content) ? undefined : lineTooLong
}

/** Why a content of this length cannot be judged or taken, before any of it has come. */
export function sizeFault(file: JudgedFile, sizeBytes: number): NameFault | undefined {
  const maxBytes = file === '.gitmodules' ? MAX_GITMODULES_BYTES : MAX_ATTRIBUTES_BYTES
  return sizeBytes > maxBytes ? tooLarge(maxBytes) : undefined
}

const tooLarge = (maxBytes: number): NameFault => ({
  code: 'git-file-too-large',
  message: `a file of this name must be at most ${maxBytes} bytes`,
})

/** What `.gitattributes` with a line beyond `MAX_ATTRIBUTES_LINE_BYTES` is refused with. */
export const lineTooLong: NameFault = {
  code: 'gitattributes-line-too-long',
  message: `each line must be at most ${MAX_ATTRIBUTES_LINE_BYTES} bytes`,
}

/** Measures the lines of a `.gitattributes` that comes in pieces. Git reads no further than a NUL (fsck.c, fsck_blob). */
export class LineMeter {
  #lineBytes = 0
  #isOver = false

  /** Takes the next piece; `false` once a line is too long. */
  isWithin(piece: Uint8Array): boolean {
    if (this.#isOver) return true
    const nul = piece.indexOf(0)
    const text = nul < 0 ? piece : piece.subarray(0, nul)
    this.#isOver = nul >= 0
    for (let at = 0; ; this.#lineBytes = 0) {
      const end = text.indexOf(0x0a, at)
      this.#lineBytes += (end < 0 ? text.length : end) - at
      if (this.#lineBytes > MAX_ATTRIBUTES_LINE_BYTES) return false
      if (end < 0) return true
      at = end + 1
    }
  }
}
