import { limits } from '../../../../shared/vocabulary.ts'
import { validatePath } from '../../../core/git/index.ts'
import { Problem, type FieldError } from '../../../platform/problems/index.ts'
import type { ByteSource } from '../../../stores/storage/index.ts'

/** One change of a commit. A list of them applies in its order. */
export type CommitOperation =
  /** Adds or replaces a file kept in git itself, an ordinary one unless git's `mode` says otherwise. */
  | {
      op: 'add'
      path: string
      content: Uint8Array | { source: ByteSource; sizeBytes: number }
      mode?: number
    }
  /** Adds or replaces a file kept as an LFS object. Without a size the object's own is looked up. */
  | { op: 'add-lfs'; path: string; sha256: string; sizeBytes?: number }
  /** Deletes a file; with `isRecursive` a folder as well. */
  | { op: 'delete'; path: string; isRecursive?: boolean }
  /** Deletes a folder with all it holds; the path may end in `/`. */
  | { op: 'delete-folder'; path: string }
  /** Copies a file as it was at a revision, or as the operations so far have left it. */
  | { op: 'copy'; from: string; fromRevision?: string; to: string }
  | { op: 'rename'; from: string; to: string }

/** A fault of one operation: `operations.{n}.{field}`. */
export function operationFault(n: number, field: string, code: string, message: string): FieldError {
  return { field: `operations.${n}.${field}`, code, message }
}

/** Problem `validation-failed` over faults of operations. */
export function operationsRefused(errors: FieldError[]): Problem {
  const shown = errors.slice(0, 10).map((e) => `${e.field}: ${e.message}`)
  return new Problem('validation-failed', { detail: shown.join('; '), errors })
}

/** Checks the paths of operation `n` and its place in the list; every path that git or a file system cannot hold is a fault. */
export function checkOperation(operation: CommitOperation, n: number): void {
  if (n >= limits.commitOperations)
    throw operationsRefused([
      { field: 'operations', code: 'too-many', message: `at most ${limits.commitOperations} operations` },
    ])
  const faults = pathsOf(operation).flatMap(([field, path]) => {
    const fault = validatePath(path)
    return fault ? [operationFault(n, field, fault.code, fault.message)] : []
  })
  if (faults.length > 0) throw operationsRefused(faults)
}

function pathsOf(operation: CommitOperation): [string, string][] {
  if (operation.op === 'delete-folder') return [['path', folderPath(operation.path)]]
  if ('path' in operation) return [['path', operation.path]]
  return [
    ['from', operation.from],
    ['to', operation.to],
  ]
}

/** A folder's path without the slash some clients put behind it. */
export function folderPath(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}
