export { createAccessRequest, listAccessRequests, type AccessRequest } from './access-requests.ts'
export { pagePath, repoTypeOf, typePathOf, type RepoAddress } from './address.ts'
export { repoCheck } from './checks.ts'
export { auditRepo } from './audit.ts'
export { createRepo, type NewRepo } from './create.ts'
export { decideAccessRequest, grantAccess } from './decide-access.ts'
export { deleteRepo } from './delete.ts'
export { checkIfMatch, etagOf } from './etag.ts'
export { countFetch, flushDownloads } from './downloads.ts'
export { findRepo, requireRepo, requireRepoById, requireRepoToChange } from './find.ts'
export { systemPerson } from './first-commit.ts'
export { likeRepo, type LikeStatus } from './like.ts'
export { listLikedRepos, listLikers } from './likers.ts'
export { beginning, containing } from './like-pattern.ts'
export {
  listRepos,
  listSorts,
  positionOf,
  type ListSort,
  type RepoFilters,
  type RepoPage,
  type RepoPosition,
} from './list.ts'
export { countRepos, requireReader } from './list.ts'
export { movedLocation, RepoMoved } from './moved.ts'
export { moveRepo, renameRepo, transferRepo } from './move.ts'
export { listStorage, type StoredRepo } from './storage.ts'
export { findTagsInUse, type TagsInUse } from './tag-counts.ts'
export { repoPurge, strayRepos } from './purge.ts'
export { downloadSums } from './recount.ts'
export { requireRoom } from './require-room.ts'
export { detailsOf, readDetails, type DetailPart, type RepoDetails } from './details.ts'
export { listAllRepos } from './list-all.ts'
export { findReposById, type Found, type Repo } from './queries.ts'
export { holdSpace } from './spaces.ts'
export { updateRepo, type ReadHead, type RepoSettings, type WriteHead } from './update.ts'
