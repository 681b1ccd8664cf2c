import { CHUNK_BYTES, type ByteSource } from '../../../stores/storage/index.ts'
import { operationFault, operationsRefused, type CommitOperation } from './operations.ts'

/** An operation as the native API takes it (`CommitRequest`). */
export type RequestOperation =
  | {
      op: 'add'
      path: string
      content?: string | undefined
      text?: string | undefined
      lfs?: { sha256: string; size: number } | undefined
    }
  | { op: 'delete'; path: string; recursive?: boolean | undefined }
  | { op: 'copy'; from: string; from_revision?: string | undefined; to: string }

/** The operations of a native body, one by one. Problem `validation-failed` for content that is not base64. */
export function* operationsOf(operations: RequestOperation[]): Generator<CommitOperation> {
  for (const [n, operation] of operations.entries()) yield operationOf(operation, n)
}

function operationOf(operation: RequestOperation, n: number): CommitOperation {
  if (operation.op === 'delete')
    return { op: 'delete', path: operation.path, isRecursive: operation.recursive ?? false }
  if (operation.op === 'copy') {
    const { from, from_revision, to } = operation
    return { op: 'copy', from, to, ...(from_revision === undefined ? {} : { fromRevision: from_revision }) }
  }
  const { path, content, text, lfs } = operation
  if (lfs) return { op: 'add-lfs', path, sha256: lfs.sha256, sizeBytes: lfs.size }
  if (text !== undefined) return { op: 'add', path, content: Buffer.from(text, 'utf8') }
  return { op: 'add', path, content: decoded(content ?? '', n) }
}

/** A multiple of four characters, which stand for three bytes. */
const PIECE_CHARACTERS = CHUNK_BYTES

type Content = (CommitOperation & { op: 'add' })['content']

/** Long contents are decoded while they are read, so that others have their turn in between. */
function decoded(content: string, n: number): Content {
  if (content.length <= PIECE_CHARACTERS) return decodedPiece(content, n)
  return { source: decodedPieces(content, n), sizeBytes: decodedBytes(content) }
}

async function* decodedPieces(content: string, n: number): ByteSource {
  for (let at = 0; at < content.length; at += PIECE_CHARACTERS)
    yield decodedPiece(content.slice(at, at + PIECE_CHARACTERS), n, at + PIECE_CHARACTERS < content.length)
}

/** Node skips what is not base64, so a shorter result tells. */
function decodedPiece(piece: string, n: number, isFollowed = false): Buffer {
  const bytes = Buffer.from(piece, 'base64')
  const isPadded = piece.endsWith('=')
  if (piece.length % 4 === 0 && bytes.length === decodedBytes(piece) && !(isFollowed && isPadded))
    return bytes
  throw operationsRefused([operationFault(n, 'content', 'not-base64', 'must be base64 with padding')])
}

function decodedBytes(content: string): number {
  const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0
  return Math.floor(content.length / 4) * 3 - padding
}
