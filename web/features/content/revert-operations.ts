import type { ChangedFile, CommitOperation } from '../../lib/types.ts'

/** What brings the files of a commit back to how they were in its parent. */
export function revertOperations(files: ChangedFile[], parent: string): CommitOperation[] {
  return files.flatMap((file): CommitOperation[] => {
    const before = file.old_path ?? file.path
    const restored = { op: 'copy' as const, from: before, from_revision: parent, to: before }
    if (file.status === 'added' || file.status === 'copied') return [{ op: 'delete', path: file.path }]
    return file.status === 'renamed' ? [{ op: 'delete', path: file.path }, restored] : [restored]
  })
}

/** Paths that a revert touches and that others have changed since. */
export function changedSince(files: ChangedFile[], since: ChangedFile[]): string[] {
  const later = new Set(since.flatMap(({ path, old_path }) => [path, old_path ?? path]))
  const own = files.flatMap(({ path, old_path }) => [path, old_path ?? path])
  return [...new Set(own)].filter((path) => later.has(path))
}
