import { Cursor } from '../reader/cursor.ts'
import { part, type FileBytes } from '../reader/file-bytes.ts'

const PIECE = 256 * 1024

/**
 * The UTF-8 text of some bytes, piece by piece, for a `JsonReader`. Throws a `TypeError` where the bytes are no UTF-8. A
 * byte-order mark is kept: it is no JSON.
 */
export function textOf(file: FileBytes, offset: number, length: number): () => string | undefined {
  const cursor = new Cursor(part(file, offset, length))
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let isOver = false
  return () => {
    if (isOver) return undefined
    const size = Math.min(PIECE, cursor.leftBytes)
    isOver = size === 0
    return decoder.decode(cursor.take(size), { stream: !isOver })
  }
}
