import type { BlobFacts } from '../packs/object-cache.ts'

/** One file that differs between two commits. */
export interface FileChange {
  path: string
  /** Where a renamed file was. */
  oldPath?: string
  status: 'added' | 'modified' | 'deleted' | 'renamed'
  /** Lines; absent for binary files, LFS pointers, and where counting took too long. */
  additions?: number
  deletions?: number
  isBinary: boolean
  old?: ChangedBlob
  new?: ChangedBlob
}

/** One side of a changed file. `facts` is absent for submodules. */
export interface ChangedBlob {
  oid: string
  mode: number
  facts?: BlobFacts
}

/** What differs between two trees. */
export interface ChangedFiles {
  files: FileChange[]
  /** More files changed than are listed. */
  isTruncated: boolean
  /** Lines of some text files were not counted, since there are too many; renames may be missing too. */
  isUncounted: boolean
}
