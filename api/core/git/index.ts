export { blameFile } from './blame/blame.ts'
export type { Blame, NoBlame } from './blame/found-blame.ts'
export { gitCheck } from './upkeep/checks.ts'
export { exportRepository } from './export.ts'
export { orphanPacks } from './upkeep/orphan-packs.ts'
export { packScrub } from './upkeep/scrub.ts'
export { CommitBuilder } from './commit-builder.ts'
export type { KnownBlob } from './known-blob.ts'
export type { CommitRequest, CommitResult, MadeCommit, NameRef } from './commit-request.ts'
export { commit } from './commit.ts'
export { forgetHistory, forgetRepo } from './upkeep/forget.ts'
export { FSCK_SCHEDULE, fsckJob } from './upkeep/fsck-job.ts'
export { diffCommit, diffCommits } from './diff/diff.ts'
export type { ChangedBlob, ChangedFiles, FileChange } from './diff/file-change.ts'
export { diffFile } from './diff/file-diff.ts'
export type { DiffLine, FileDiff, Hunk } from './diff/hunk.ts'
export type { DiffOptions } from './diff/options.ts'
export type { Peeled } from './push/incoming-objects.ts'
export { Incoming, withIncoming } from './push/incoming.ts'
export { inspect, MAX_HISTORY_OBJECT_BYTES, type Inspection, type SizedFile } from './push/inspect.ts'
export { compactWhenDue, gitCompact, gitIndex } from './upkeep/jobs.ts'
export { landPush, RefRefused } from './push/land-push.ts'
export type { FinishedPack } from './packs/finished-pack.ts'
export { capabilityAdvert, protocolOf, receiveAdvert, uploadAdvert, type Service } from './wire/adverts.ts'
export { PacketReader } from './wire/pkt-line.ts'
export { answerWhenDone, type PushReport } from './wire/push-report.ts'
export { accountsByCommit, accountsOf, noteAccounts } from './history/accounts.ts'
export { pathsInHistory, pointersInHistory } from './upkeep/reachable-pointers.ts'
export { withRewrittenHistory, type RewrittenHistory } from './rewrite/rewrite-history.ts'
export { Overtaken } from './upkeep/roots.ts'
export {
  MAX_COMMANDS_BYTES,
  readPushRequest,
  type PushCommand,
  type PushRequest,
} from './wire/receive-request.ts'
export {
  fetchRequest,
  lsRefsRequest,
  PROTOCOL_HEADER,
  readFetch,
  readRefs,
  RemoteGitError,
  speaksProtocol2,
  type RemoteRef,
} from './wire/fetch-client.ts'
export { MAX_FETCH_REQUEST_BYTES, uploadPack } from './wire/upload-pack.ts'
export { requireGit } from './runner/runner.ts'
export { endingWith, spool, type Spooled } from './runner/spool.ts'
export { packCommit, type CommitOfFiles } from './pack-commit.ts'
export { createTag, type TagRequest } from './tag.ts'
export { changesBetween } from './tree-changes.ts'
export { WrongSize } from './packs/exactly.ts'
export { Git, type GitDeps } from './git.ts'
export { quotePath } from './quote-path.ts'
export {
  findCollision,
  HIDDEN_REFS,
  isHiddenRef,
  validateBranchOrTag,
  validatePath,
  type NameFault,
} from './names.ts'
export { patchBetween } from './diff/patch.ts'
export { checkMerge, knownMerge, merge, type MergedFile } from './merge.ts'
export type { Mergeability, MergeSides } from './mergeability.ts'
export { judgePaths } from './push/path-check.ts'
export { findCommitRecords, type CommitRecord } from './history/commit-records.ts'
export {
  contentFault,
  judgedAt,
  LineMeter,
  lineTooLong,
  MAX_ATTRIBUTES_LINE_BYTES,
  MAX_JUDGED_BYTES,
  sizeFault,
} from './push/judged-files.ts'
export { contributorsOf, type Contributor, type Contributors } from './history/contributors.ts'
export { divergenceOf, type Divergence } from './history/divergence.ts'
export { mergedCommits } from './history/merged-commits.ts'
export { lastCommits, listCommits } from './history/history.ts'
export type { BlobFacts } from './packs/object-cache.ts'
export { oneLine, type Person } from './objects/objects.ts'
export type { CommitObject, Entry, PathEntry, Ref, Resolved } from './entries.ts'
export { addGitRepo, holdRefs } from './repo-state.ts'
export type { Snapshot } from './snapshot.ts'
export { StaleSnapshot, type RefMove, type Via } from './refs/move-ref.ts'
export type { RefListener } from './refs/listener.ts'
export { moveRefs } from './refs/move-refs.ts'
export { withFresh } from './with-fresh.ts'
export { unreachable } from './upkeep/prune-sweep.ts'
export { gitPurge } from './upkeep/purge.ts'
export { relieve } from './upkeep/relieve.ts'
export type { TreeFault } from './objects/tree-extent.ts'
export type { ListChanges } from './history/shallowest-changes.ts'
export type { TreeChange } from './objects/tree-diff.ts'
export { MAX_TOUCHED_FOLDERS, type EditFault } from './objects/tree-edit.ts'
export { MAX_INFLATION, PackRefused } from './push/take-by-git.ts'
export { MODE } from './objects/tree.ts'
