export { createBranch, deleteBranch, type NewBranch } from './branches.ts'
export { cardFacts, languages, words, type CardFacts } from './card-facts.ts'
export { parseCard, type Card, type CardProblem } from './card.ts'
export { headCheck } from './checks.ts'
export { getCommit, type CommitDetail } from './commit-detail.ts'
export { commit, commitTo, type CommitInput, type CommitOutcome, type PullRequestTarget } from './commit.ts'
export { listCommits, type CommitsPage, type CommitsQuery } from './commits.ts'
export { compareFile, diffOfCommit, type FileComparison } from './diff.ts'
export { followHead } from './follow-head.ts'
export { mergeInto, type MergeInput, type MergeOutcome } from './merge.ts'
export { duplicateRepo } from './duplicate.ts'
export { deleteLfsFiles, listLfsFiles, type LfsFile } from './lfs-files.ts'
export { openFile, openFileAt, type FileForm, type OpenedFile } from './file.ts'
export { readCard } from './read-card.ts'
export { readHead } from './read-head.ts'
export { checkOperation, type CommitOperation } from './operations.ts'
export { findUsernames } from './queries.ts'
export { preupload, type FileAdvice, type PreuploadQuery } from './preupload.ts'
export { moverOf } from './ref-moves.ts'
export { push, type PushInput } from './push.ts'
export type { PullRequestPushes, PullRows } from './push-rules.ts'
export { listRefs, shortName, type ListedRef } from './refs.ts'
export {
  checkAddressPath,
  describeEntry,
  openRevision,
  type DescribedEntry,
  type Revision,
} from './revision.ts'
export { superSquash } from './super-squash.ts'
export { createTag, deleteTag, type NewTag } from './tags.ts'
export { describePaths, listTree, type ListedEntry, type TreePage, type TreeQuery } from './tree.ts'
export { validateYaml, type CardVerdict } from './validate-yaml.ts'
export { createZip, zipExport } from './zip.ts'
