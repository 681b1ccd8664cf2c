export { protectionOf } from './branch-rules/protection.ts'
export { createBranch, deleteBranch, type NewBranch } from './refs/branches.ts'
export { checkLfsCopy } from './commit/check-lfs-copy.ts'
export { headCheck } from './checks.ts'
export { getCommit, type CommitDetail } from './read/commit-detail.ts'
export {
  commit,
  commitTo,
  type CommitInput,
  type CommitOutcome,
  type PullRequestTarget,
} from './commit/commit.ts'
export { listCommits, type CommitsPage, type CommitsQuery } from './read/commits.ts'
export { compareFile, type FileComparison, type WantedDiff } from './read/diff.ts'
export { createRepoWithFiles } from './commit/create-with-files.ts'
export { followHead } from './head/follow-head.ts'
export { mergeInto, type MergeInput, type MergeOutcome } from './commit/merge.ts'
export { duplicateRepo } from './commit/duplicate.ts'
export { deleteLfsFiles } from './large-files/delete.ts'
export { listLfsFiles, type LfsFile } from './large-files/list.ts'
export { rewriteJob } from './large-files/rewrite-job.ts'
export { openFileAt, type OpenedFile } from './read/file.ts'
export { landFetched, type Fetched } from './fetched/land-fetched.ts'
export { readCard, readSearchText } from './cards/read-card.ts'
export { parseCard } from './cards/card.ts'
export { readYaml } from './cards/yaml/read.ts'
export { readYamlFile } from './cards/read-yaml-file.ts'
export { readHead } from './head/read-head.ts'
export type { CommitOperation } from './commit/operations.ts'
export { findUsernames } from './queries.ts'
export { preupload, type FileAdvice, type PreuploadQuery } from './commit/preupload.ts'
export { moverOf } from './commit/ref-moves.ts'
export { push, type PushInput } from './push/push.ts'
export type { PullRequestPushes, PullRows } from './push/rules.ts'
export { listRefs, shortName, type ListedRef } from './refs/refs.ts'
export {
  checkAddressPath,
  checkRevision,
  clientCommit,
  describeEntries,
  describeEntry,
  entryNotFound,
  openRevision,
  requireEntry,
  revisionFault,
  type DescribedEntry,
  type Revision,
} from './read/revision.ts'
export { superSquash } from './commit/super-squash.ts'
export { createTag, deleteTag, type NewTag } from './refs/tags.ts'
export { describePaths, listTree, type ListedEntry, type TreePage, type TreeQuery } from './read/tree.ts'
export { validateYaml, type CardVerdict } from './cards/validate-yaml.ts'
export { presentExport } from './exports/result.ts'
export { createZip, zipExport } from './exports/zip.ts'
