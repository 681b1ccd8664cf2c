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

/** What differs between two trees. `isTruncated` when more files changed than are listed. */
export interface ChangedFiles {
  files: FileChange[]
  isTruncated: boolean
}
