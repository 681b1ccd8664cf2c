export { gitCheck } from './checks.ts'
export { exportRepository } from './export.ts'
export { orphanPacks } from './sweep.ts'
export { CommitBuilder } from './commit-builder.ts'
export type { CommitRequest, CommitResult, MadeCommit, NameRef } from './commit-request.ts'
export { commit } from './commit.ts'
export { forgetRepo } from './forget.ts'
export { FSCK_SCHEDULE, fsckJob } from './fsck-job.ts'
export { diffBetween, diffCommit, diffCommits, MAX_CHANGED_FILES } from './diff.ts'
export type { ChangedBlob, ChangedFiles, FileChange } from './file-change.ts'
export { diffFile, type DiffLine, type FileDiff, type Hunk } from './file-diff.ts'
export type { Peeled } from './incoming-objects.ts'
export { Incoming, PackRefused, withIncoming } from './incoming.ts'
export { inspect, type Inspection, type SizedFile } from './inspect.ts'
export { compactWhenDue, gitCompact, gitIndex } from './jobs.ts'
export { landPush, RefRefused } from './land-push.ts'
export type { FinishedPack } from './pack-writer.ts'
export type { PushReport } from './push-report.ts'
export { pointersInHistory } from './reachable-pointers.ts'
export type { PushCommand, PushRequest } from './receive-request.ts'
export type { Spooled } from './spool.ts'
export { createTag, type TagRequest } from './tag.ts'
export { Git, type GitDeps } from './git.ts'
export {
  findCollision,
  foldPath,
  validateBranchOrTag,
  validatePath,
  validateRefName,
  type NameFault,
} from './names.ts'
export { patchBetween } from './patch.ts'
export { checkMerge, knownMerge, merge, type MergedFile } from './merge.ts'
export type { Mergeability, MergeSides } from './mergeability.ts'
export { judgePaths } from './path-check.ts'
export { findCommitRecords, type CommitRecord } from './commit-records.ts'
export {
  contentFault,
  judgedAt,
  LineMeter,
  lineTooLong,
  MAX_ATTRIBUTES_LINE_BYTES,
  MAX_JUDGED_BYTES,
  sizeFault,
} from './judged-files.ts'
export { lastCommits, listCommits } from './history.ts'
export type { BlobFacts } from './object-cache.ts'
export type { Person } from './objects.ts'
export { isHexOid } from './oid.ts'
export type { CommitObject, Entry, PathEntry, Ref, Resolved } from './entries.ts'
export type { Snapshot } from './snapshot.ts'
export { MAX_REFS, moveRef, StaleSnapshot, type RefMove, type Via } from './refs.ts'
export { unreachable } from './prune-sweep.ts'
export { gitPurge } from './purge.ts'
export { relieve } from './relieve.ts'
export { layOut, withSkeleton } from './skeleton.ts'
export type { TreeChange } from './tree-diff.ts'
export type { EditFault } from './tree-edit.ts'
export { WrongSize } from './exactly.ts'
export { MODE } from './tree.ts'
