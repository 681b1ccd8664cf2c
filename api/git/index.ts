export { Git, type GitDeps } from './git.ts'
export {
  findCollision,
  foldPath,
  validateBranchOrTag,
  validatePath,
  validateRefName,
  type NameFault,
} from './names.ts'
export type { BlobFacts } from './object-reader.ts'
export type { Person } from './objects.ts'
export { isHexOid } from './oid.ts'
export type { CommitObject, Entry, PathEntry, Ref, Resolved } from './entries.ts'
export type { Snapshot } from './snapshot.ts'
export { MODE } from './tree.ts'
