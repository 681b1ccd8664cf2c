import { endedLogins } from './auth/index.ts'
import type { Check } from './check.ts'
import { chunkCheck, chunkRebuild, chunkSweep } from './chunk/index.ts'
import { collectionCheck } from './collections/index.ts'
import type { Config } from './config/index.ts'
import { followHead, headCheck, rewriteJob, zipExport } from './content/index.ts'
import { attachmentCheck, discussionCheck, followRewrite, unusedAttachments } from './discussions/index.ts'
import { oldAudit, publish, publishMoves } from './events/index.ts'
import {
  FSCK_SCHEDULE,
  fsckJob,
  gitCheck,
  gitCompact,
  gitIndex,
  gitPurge,
  orphanPacks,
  unreachable,
  type RefListener,
} from './git/index.ts'
import { finishedJobs, type JobEnded, type JobKind, type Schedule } from './jobs/index.ts'
import { gcJob, lfsCheck } from './lfs/index.ts'
import { namespaceCheck } from './namespaces/index.ts'
import { downloadSums, repoCheck, repoPurge, sizeHistory, strayRepos } from './repos/index.ts'
import { lfsVerify, pointerCheck, uploadCheck, uploadSweep } from './uploads/index.ts'
import { oldDeliveries, webhookCheck, webhookDeliver } from './webhooks/index.ts'

const gc = gcJob([
  uploadSweep,
  chunkSweep,
  unusedAttachments,
  unreachable,
  orphanPacks,
  strayRepos,
  downloadSums,
  sizeHistory,
  finishedJobs,
  oldDeliveries,
  endedLogins,
  oldAudit,
])

/** Every room's part of `arsenal fsck`. */
export const checks: Check[] = [
  namespaceCheck,
  repoCheck,
  gitCheck,
  headCheck,
  discussionCheck,
  attachmentCheck,
  collectionCheck,
  lfsCheck,
  pointerCheck,
  uploadCheck,
  chunkCheck,
  webhookCheck,
]

const fsck = fsckJob(checks)

/** Every kind of Job this server can run. */
export const jobKinds: readonly JobKind[] = [
  gc,
  fsck,
  gitCompact,
  gitIndex,
  gitPurge,
  rewriteJob,
  repoPurge,
  zipExport,
  chunkRebuild,
  lfsVerify,
  webhookDeliver(),
]

/** What recurs, and when. */
export const jobSchedules = (config: Config): Schedule[] => [
  { kind: gc, input: {}, cron: config.gc.schedule },
  { kind: fsck, input: {}, cron: FSCK_SCHEDULE },
]

/** What follows refs as they move, in the transaction that moves them. */
export const refListeners: readonly RefListener[] = [
  (deps) => Promise.resolve((tx, moves) => publishMoves(tx, deps, moves)),
  followHead,
  followRewrite,
]

/** Webhooks that watch a repo hear how its jobs ended. */
export const jobEnded: JobEnded = async (tx, deps, { id, repo_id, kind, status, title }) => {
  if (repo_id === null) return
  const facts = () => ({ job: { id, kind, status, title } })
  await publish(tx, deps, { repoId: repo_id, event: 'job', action: 'update', facts })
}
