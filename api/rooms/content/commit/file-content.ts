import { judgedAt, MAX_JUDGED_BYTES } from '../../../core/git/index.ts'
import { CHUNK_BYTES, collect, type ByteSource } from '../../../stores/storage/index.ts'
import { MAX_CARD_BYTES } from '../cards/card.ts'
import { MAX_RULES_BYTES } from '../patterns/attributes.ts'
import type { Bytes } from './judged-content.ts'
import type { CommitOperation } from './operations.ts'

/** A commit of thousands of `.gitattributes` must not fill the memory: rules beyond this are not read. Bytes. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024

const README = 'README.md'

/** Counts what a commit keeps of its files' contents. */
export class KeptContents {
  #bytes = 0

  /** Whether this content may be kept; it is counted then. */
  mayKeep(path: string, sizeBytes: number): boolean {
    if (sizeBytes > maxBytesToKeep(path) && path !== README) return false
    const keptBytes = Math.min(sizeBytes, maxBytesToKeep(path))
    if (this.#bytes + keptBytes > MAX_KEPT_BYTES) return false
    this.#bytes += keptBytes
    return true
  }
}

/** How much of a file's text is kept for later rules. */
function maxBytesToKeep(path: string): number {
  if (path === README) return MAX_CARD_BYTES
  return path === '.gitattributes' || path.endsWith('/.gitattributes') ? MAX_RULES_BYTES : -1
}

/** How much of a file must be at hand: what is kept, and what git's check reads as a whole. */
export function maxBytesToRead(path: string): number {
  return judgedAt(path) ? MAX_JUDGED_BYTES : maxBytesToKeep(path)
}

type Content = (CommitOperation & { op: 'add' })['content']

/** The content at hand, or as it comes when nothing of it is to be read: a long one piece by piece, as it is hashed. */
export async function bytesOf(content: Content, isRead: boolean): Promise<Bytes> {
  if (!(content instanceof Uint8Array)) return isRead ? collect(content.source, content.sizeBytes) : content
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  return isRead || bytes.length <= CHUNK_BYTES ? bytes : { source: pieces(bytes), sizeBytes: bytes.length }
}

async function* pieces(bytes: Buffer): ByteSource {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

/** A README as it comes, of which what its card is read from is kept. */
export function keepStart(source: ByteSource): { source: ByteSource; start: () => Buffer } {
  const kept: Uint8Array[] = []
  let missing = MAX_CARD_BYTES
  async function* passed(): ByteSource {
    for await (const piece of source) {
      if (missing > 0) kept.push(Buffer.from(piece.subarray(0, missing)))
      missing -= Math.min(missing, piece.length)
      yield piece
    }
  }
  return { source: passed(), start: () => Buffer.concat(kept) }
}
