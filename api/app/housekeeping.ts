import {
  auditStream,
  auditStreamCheck,
  logoRows,
  STORAGE_SCHEDULE,
  storageCount,
} from '../rooms/admin/index.ts'
import { endedLogins } from '../rooms/auth/index.ts'
import type { Check } from '../core/check.ts'
import type { Scrub } from '../core/scrub.ts'
import type { Sweep } from '../core/sweep.ts'
import { chunkCheck, chunkRebuild, unusedChunks, xorbScrub } from '../rooms/chunk/index.ts'
import { collectionCheck } from '../rooms/collections/index.ts'
import type { Config } from '../platform/config/index.ts'
import { followHead, headCheck, rewriteJob, zipExport } from '../rooms/content/index.ts'
import {
  attachmentRows,
  discussionCheck,
  followRewrite,
  unusedAttachments,
} from '../rooms/discussions/index.ts'
import {
  auditSeal,
  oldAudit,
  publish,
  publishMoves,
  SEAL_SCHEDULE,
  type ChangeListener,
} from '../core/events/index.ts'
import { factCheck, tensorsCompare, unusedFacts } from '../rooms/facts/index.ts'
import {
  FSCK_SCHEDULE,
  fsckJob,
  gitCheck,
  gitCompact,
  gitIndex,
  gitPurge,
  isHiddenRef,
  orphanPacks,
  packScrub,
  unreachable,
  type RefListener,
} from '../core/git/index.ts'
import { imageCheck, imageScrub } from '../core/images/index.ts'
import { convertMoves, datasetCompare, datasetConvert, datasetExport } from '../rooms/datasets/index.ts'
import { finishedJobs, jobCheck, type JobEnded, type JobKind, type Schedule } from '../core/jobs/index.ts'
import { INDEX_VERSION, indexMoves, repoIndex, repoReindex } from '../rooms/indexing/index.ts'
import { gcJob, lfsCheck, objectScrub, SCRUB_SCHEDULE, scrubJob } from '../core/lfs/index.ts'
import {
  DUE_SCHEDULE,
  endedPulls,
  mirrorDue,
  mirrorSync,
  noteCancelled,
  pull,
} from '../rooms/mirrors/index.ts'
import { avatarRows, namespaceCheck } from '../rooms/namespaces/index.ts'
import {
  downloadSums,
  holdRepo,
  recordIndexFailure,
  repoCheck,
  repoPurge,
  sizeHistory,
  strayRepos,
} from '../rooms/repos/index.ts'
import {
  followScans,
  REFRESH_SCHEDULE,
  repoScan,
  scanCheck,
  scanRefresh,
  scanRejudge,
  unusedScans,
} from '../rooms/scans/index.ts'
import { upstreamCheck } from '../rooms/upstreams/index.ts'
import { lfsVerify, pointerCheck, uploadCheck, uploadSweep } from '../rooms/uploads/index.ts'
import { oldDeliveries, queueDeliveries, webhookCheck, webhookDeliver } from '../rooms/webhooks/index.ts'

/** Every room's part of `gc`, but for those of stored bytes. */
export const sweeps: readonly Sweep[] = [
  uploadSweep,
  unusedChunks,
  unusedAttachments,
  unreachable,
  orphanPacks,
  unusedScans,
  unusedFacts,
  strayRepos,
  downloadSums,
  sizeHistory,
  finishedJobs,
  oldDeliveries,
  endedLogins,
  endedPulls,
  oldAudit,
]

const gc = gcJob(sweeps)

/** Every room's part of `arsenal fsck`. */
export const checks: Check[] = [
  namespaceCheck,
  repoCheck,
  gitCheck,
  headCheck,
  discussionCheck,
  imageCheck(attachmentRows, 'its author must upload it again'),
  imageCheck(avatarRows, 'its owner must upload it again'),
  imageCheck(logoRows, 'an admin must upload it again'),
  collectionCheck,
  lfsCheck,
  pointerCheck,
  uploadCheck,
  chunkCheck,
  webhookCheck,
  scanCheck,
  factCheck,
  upstreamCheck,
  auditStreamCheck,
  jobCheck,
]

const fsck = fsckJob(checks)

/** Every kind of stored bytes that `blob.scrub` reads again. */
export const scrubs: readonly Scrub[] = [
  objectScrub,
  packScrub,
  xorbScrub,
  imageScrub(attachmentRows),
  imageScrub(avatarRows),
  imageScrub(logoRows),
]

const scrub = scrubJob(scrubs)

/** Every kind of job this server can run. */
export const jobKinds: readonly JobKind[] = [
  gc,
  fsck,
  scrub,
  auditSeal,
  auditStream(),
  gitCompact,
  gitIndex,
  gitPurge,
  rewriteJob,
  repoPurge,
  zipExport,
  chunkRebuild,
  lfsVerify,
  repoIndex,
  repoReindex,
  tensorsCompare,
  webhookDeliver(),
  repoScan,
  scanRefresh,
  scanRejudge,
  pull,
  mirrorSync,
  mirrorDue,
  datasetConvert,
  datasetExport,
  datasetCompare,
  storageCount,
]

/** What recurs, and when. */
export const jobSchedules = (config: Config): Schedule[] => [
  { kind: gc, input: {}, cron: config.gc.schedule },
  { kind: fsck, input: {}, cron: FSCK_SCHEDULE },
  { kind: scrub, input: {}, cron: SCRUB_SCHEDULE },
  { kind: auditSeal, input: {}, cron: SEAL_SCHEDULE },
  { kind: scanRefresh, input: {}, cron: REFRESH_SCHEDULE },
  { kind: mirrorDue, input: {}, cron: DUE_SCHEDULE },
  { kind: storageCount, input: {}, cron: STORAGE_SCHEDULE },
]

/** What follows changes of repos, in the transaction of each change. */
export const changeListeners: readonly ChangeListener[] = [queueDeliveries]

const isShown = ({ name }: { name: string }) => !isHiddenRef(name)

/** What follows refs as they move, in the transaction that moves them. */
export const refListeners: readonly RefListener[] = [
  holdRepo,
  (deps) =>
    Promise.resolve({
      after: (tx, moves) => publishMoves(tx, { ...deps, changeListeners }, moves.filter(isShown)),
    }),
  followHead,
  indexMoves,
  followRewrite,
  followScans,
  convertMoves,
]

/** Webhooks that watch a repo hear how its jobs ended; a repo whose files could not be read says so. */
export const jobEnded: JobEnded = async (tx, deps, { id, repo_id, kind, status, title }) => {
  if (repo_id === null) return
  await noteCancelled(tx, { kind, status, repo_id })
  if (kind === repoIndex.kind && status === 'failed')
    await recordIndexFailure(tx, repo_id, INDEX_VERSION, 'failed')
  const facts = () => ({ job: { id, kind, status, title } })
  await publish(tx, deps, { repoId: repo_id, event: 'job', action: 'update', facts })
}
