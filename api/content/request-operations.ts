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

/** Node skips what is not base64, so a shorter result tells. */
function decoded(content: string, n: number): Buffer {
  const bytes = Buffer.from(content, 'base64')
  const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0
  if (content.length % 4 === 0 && bytes.length === (content.length / 4) * 3 - padding) return bytes
  throw operationsRefused([operationFault(n, 'content', 'not-base64', 'must be base64 with padding')])
}
