import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { system } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { defineJob, enqueue, type JobTicket, type RunningJob } from '../../../core/jobs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { openRevision } from '../../content/index.ts'
import { findReposById } from '../../repos/index.ts'
import { convertDataset, type ConvertOutcome } from './convert-dataset.ts'

const Input = z.strictObject({ repo_id: z.string() })

/** What it takes to queue a conversion. */
const convertTicket: JobTicket<z.output<typeof Input>> = {
  kind: 'dataset.convert',
  maxAttempts: 4,
  unit: 'bytes',
  title: () => 'Convert the data to Parquet',
}

/**
 * Converts the head of a dataset's default branch. One is queued or runs for each repo; a head that has moved by the end
 * has another queued.
 */
export const datasetConvert = defineJob({
  ...convertTicket,
  input: Input,
  atOnce: ({ viewer }) => viewer.convert_concurrency,
  async run(ctx, { repo_id }, job) {
    let seen: string | undefined
    try {
      const done = await convertHead(ctx, repo_id, job)
      seen = done.commit
      return { ...done }
    } finally {
      if (!job.signal.aborted) await queueIfMoved(ctx, repo_id, job, seen)
    }
  },
})

async function convertHead(ctx: Ctx, repoId: string, job: RunningJob): Promise<ConvertOutcome> {
  const repo = (await findReposById(ctx.db, [repoId], '')).get(repoId)
  if (!repo || repo.isDeleted || repo.type !== 'dataset' || repo.headCommit === null)
    return { outcome: 'gone' }
  const revision = await openRevision(ctx, repoId, repo.headCommit).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'revision-not-found') return undefined
    throw error
  })
  if (!revision) return { outcome: 'gone' }
  const place = join(ctx.config.server.data_dir, 'viewer', 'convert')
  const folder = join(place, `${job.id}-${job.attempt}-${randomUUID()}`)
  await removeLeft(place, job)
  await mkdir(folder, { recursive: true })
  try {
    return await convertDataset({ ...ctx, signal: job.signal }, { repo, revision, job, folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Deletes what earlier attempts left on this machine: those of a server that was killed could not do so themselves. */
async function removeLeft(place: string, job: RunningJob): Promise<void> {
  for (const name of await readdir(place).catch(() => []))
    if (name.startsWith(`${job.id}-`)) await rm(join(place, name), { recursive: true, force: true })
}

/** A commit that came while this run had the only job of the repo. */
async function queueIfMoved(
  ctx: Ctx,
  repoId: string,
  job: RunningJob,
  seen: string | undefined,
): Promise<void> {
  await job.admitEqual()
  const repo = (await findReposById(ctx.db, [repoId], '')).get(repoId)
  if (!repo || repo.isDeleted || repo.headCommit === null || seen === undefined || repo.headCommit === seen)
    return
  await ctx.db.write((tx) => queueConversion(tx, ctx, repoId))
}

/** Queues the job, once for a repo. */
export async function queueConversion(tx: Tx, deps: Pick<Ctx, 'db' | 'now'>, repoId: string): Promise<void> {
  const { repos } = tx.t
  const [repo] = await tx.q.select({ type: repos.type }).from(repos).where(eq(repos.id, repoId))
  if (repo?.type !== 'dataset') return
  const options = { dedupKey: repoId, repoId, createdBy: null }
  await enqueue(tx, { ...deps, actor: system }, convertTicket, { repo_id: repoId }, options)
}
