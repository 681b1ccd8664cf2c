import type { TreeEntry } from '../../../lib/types.ts'

/** Entries as people look for them; within each kind they keep their order. */
export const foldersFirst = (entries: TreeEntry[]): TreeEntry[] => [
  ...entries.filter((entry) => entry.kind === 'directory'),
  ...entries.filter((entry) => entry.kind === 'file'),
]
