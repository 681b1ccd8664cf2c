export { listAccessRequests, type AccessRequest } from './people/access-requests.ts'
export { holdRepo } from './hold-repo.ts'
export {
  addHead,
  forgetIndex,
  recordHead,
  recordIndex,
  recordIndexFailure,
  refreshMetadata,
  type HeadRecord,
  type IndexRecord,
} from './record-head.ts'
export { withConverted } from './converted-facts.ts'
export { admitToRepo } from './admit.ts'
export { pagePath, repoTypeOf, typePathOf, type RepoAddress } from './address.ts'
export { repoCheck } from './checks.ts'
export { auditRepo } from './audit.ts'
export { authorOf, personOf } from './author.ts'
export { createRepo, type NewRepo } from './lifecycle/create.ts'
export { FIRST_TITLE, type FirstCommit, type FirstFile } from './lifecycle/first-commit.ts'
export { decideAccessRequest, grantAccess } from './people/decide-access.ts'
export { deleteRepo } from './lifecycle/delete.ts'
export { checkIfMatch, etagOf } from './etag.ts'
export { countFetch, flushDownloads } from './stats/downloads.ts'
export { findRepo, requireRepo, requireRepoById, requireRepoToChange } from './find.ts'
export { likeRepo, type LikeStatus } from './people/like.ts'
export { listLikedRepos, listLikers } from './people/likers.ts'
export { beginning, containing } from './list/like-pattern.ts'
export type { ListSort, RepoPosition } from './list/order.ts'
export type { RepoLine } from './list/line.ts'
export { listLines, type TaggedLine } from './list/lines.ts'
export type { Range, RepoFilters } from './list/filters.ts'
export { listRepos, type RepoPage } from './list/list.ts'
export { countRepos, requireReader } from './list/list.ts'
export { prepareLists } from './list/catalogue.ts'
export { movedLocation, RepoMoved } from './lifecycle/moved.ts'
export { moveRepo, renameRepo, transferRepo } from './lifecycle/move.ts'
export { listStorage, type StoredRepo } from './stats/storage.ts'
export { findTagsInUse, type TagsInUse } from './list/tag-counts.ts'
export { repoPurge, strayRepos } from './lifecycle/purge.ts'
export { sizeHistory } from './stats/record-sizes.ts'
export { downloadSums } from './stats/recount.ts'
export { requirePendingQuota } from './quota/pending-quota.ts'
export { requireOwnQuota, requireQuota, type QuotaCheck, type Wanted } from './quota/require-quota.ts'
export { detailsOf, readDetails, type DetailPart, type RepoDetails } from './details.ts'
export { listAllRepos } from './list/all.ts'
export { addRedirect, findReposById, markChanged, type Found, type Repo } from './queries.ts'
export { lockNamespaceFor } from './lifecycle/namespace-for.ts'
export { updateRepo, type ReadHead, type RepoSettings, type WriteHead } from './lifecycle/update.ts'
