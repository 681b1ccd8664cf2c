import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import { defineJob, enqueue, type JobRow } from '../../../core/jobs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { openRevision } from '../../content/index.ts'
import { findReposById, requireRepo, type Repo, type RepoAddress } from '../../repos/index.ts'
import { PLAN_VERSION } from '../configs/read-plan.ts'
import { QueryProcesses } from '../query/engine/processes.ts'
import type { DataChanges } from './changes.ts'
import { compareData, planChanges, type PlannedChanges } from './compare-data.ts'

/** Jobs leave the processes of requests alone. */
const ofJobs = new QueryProcesses({ atOnce: 2, maxWaiting: 10 })
const ofRequests = new QueryProcesses({ atOnce: 1, maxWaiting: 10 })
const JOB_DEADLINE_MS = 10 * 60_000
/** So much is compared within a request; a job reads more. */
const MAX_AT_ONCE_BYTES = 8 * 1024 * 1024
const MAX_KEPT = 200

export interface RevisionsAsked {
  base: string
  head: string
}

/** What is known of how the data of two revisions differ. */
export interface KnownChanges {
  base: string
  head: string
  /** Bytes of the files that a comparison reads. */
  bytes: number
  /** Nothing until a job has compared them. */
  changes: DataChanges | undefined
}

const keyOf = (repoId: string, { base, head }: RevisionsAsked) => [repoId, base, head, PLAN_VERSION].join('/')

/** Compares the rows of two revisions; its result answers later requests for them. */
export const datasetCompare = defineJob({
  kind: 'dataset.compare',
  maxAttempts: 3,
  unit: 'bytes',
  input: z.object({ repo_id: z.string(), base: z.string(), head: z.string() }),
  atOnce: ({ viewer }) => viewer.convert_concurrency,
  onePerUser: true,
  title: ({ base, head }) => `Compare the rows of ${base.slice(0, 7)} and ${head.slice(0, 7)}`,
  async run(given, { repo_id, base, head }, job) {
    const ctx = { ...given, signal: job.signal }
    const repo = (await findReposById(ctx.db, [repo_id], '')).get(repo_id)
    if (!repo || repo.isDeleted) throw new Problem('repo-not-found')
    const planned = await plannedOf(ctx, repo, { base, head })
    await job.progress(0, planned.bytes)
    const onRead = (bytes: number) => job.progress(Math.min(bytes, planned.bytes), planned.bytes)
    const how = { processes: ofJobs, deadlineMs: JOB_DEADLINE_MS, onRead }
    return {
      changes: await inFolder(ctx, job.id, (folder) => compareData(ctx, repo, planned, { ...how, folder })),
    }
  },
  present: async () => ({}),
})

/**
 * How the data of two revisions differ, where it is known or quickly found. Problems: those of reading files,
 * `revision-not-found`, `temporarily-unavailable`.
 */
export async function getDataChanges(
  ctx: Ctx,
  address: RepoAddress,
  asked: RevisionsAsked,
): Promise<KnownChanges> {
  const repo = await requireRepo(ctx, address, 'repo.files')
  const planned = await plannedOf(ctx, repo, asked)
  const at = { base: planned.base.revision.commit, head: planned.head.revision.commit }
  const key = keyOf(repo.id, at)
  const known = (await kept.get(key)?.catch(() => undefined)) ?? (await ofJob(ctx, repo.id, key))
  if (known) return { ...at, bytes: planned.bytes, changes: known }
  if (planned.bytes > MAX_AT_ONCE_BYTES) return { ...at, bytes: planned.bytes, changes: undefined }
  return { ...at, bytes: planned.bytes, changes: await once(key, () => compareNow(ctx, repo, planned)) }
}

/** Queues the comparison; an equal one under way is answered instead. */
export async function queueDataChanges(
  ctx: Ctx,
  address: RepoAddress,
  asked: RevisionsAsked,
): Promise<JobRow> {
  const repo = await requireRepo(ctx, address, 'repo.compare')
  const { base, head } = await revisionsOf(ctx, repo, asked)
  const at = { base: base.commit, head: head.commit }
  const by = ctx.actor.kind === 'user' ? ctx.actor.id : ''
  const options = { dedupKey: `${keyOf(repo.id, at)}/${by}`, repoId: repo.id }
  return ctx.db.write((tx) => enqueue(tx, ctx, datasetCompare, { repo_id: repo.id, ...at }, options))
}

/** Comparisons of requests, the oldest first: two commits never differ in another way. */
const kept = new Map<string, Promise<DataChanges>>()

function once(key: string, make: () => Promise<DataChanges>): Promise<DataChanges> {
  const known = kept.get(key)
  if (known) return known
  const [oldest] = kept.keys()
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  const work = make()
  kept.set(key, work)
  work.then(
    // What failed for lack of time or of bytes may pass.
    ({ configs }) => configs.some(({ splits }) => splits.some(({ problem }) => problem)) && kept.delete(key),
    () => kept.delete(key),
  )
  return work
}

/** Others may wait for it as well, so it is made to its end although who asked first leaves. */
function compareNow(given: Ctx, repo: Repo, planned: PlannedChanges): Promise<DataChanges> {
  const ctx = { ...given, signal: given.stopping }
  const deadlineMs = ctx.config.viewer.max_scan_seconds * 1000
  return inFolder(ctx, 'request', (folder) =>
    compareData(ctx, repo, planned, { processes: ofRequests, deadlineMs, folder }),
  )
}

async function ofJob(ctx: Ctx, repoId: string, key: string): Promise<DataChanges | undefined> {
  const { jobs: j } = ctx.db.t
  const rows = await ctx.db.q
    .select({ key: j.dedup_key, result: j.result })
    .from(j)
    .where(and(eq(j.repo_id, repoId), eq(j.kind, datasetCompare.kind), eq(j.status, 'succeeded')))
    .orderBy(desc(j.id))
  const found = rows.find((row) => row.key?.startsWith(`${key}/`) === true)
  return found?.result?.['changes'] as DataChanges | undefined
}

async function revisionsOf(ctx: Ctx, repo: Repo, { base, head }: RevisionsAsked) {
  return { base: await openRevision(ctx, repo.id, base), head: await openRevision(ctx, repo.id, head) }
}

const plannedOf = async (ctx: Ctx, repo: Repo, asked: RevisionsAsked) =>
  planChanges(ctx, repo, await revisionsOf(ctx, repo, asked))

async function inFolder<T>(ctx: Ctx, name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(ctx.config.server.data_dir, 'viewer', 'compare', `${name}-${randomUUID()}`)
  await mkdir(folder, { recursive: true })
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
