import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import {
  defineJob,
  enqueue,
  howLarge,
  howMany,
  type JobRow,
  type RunningJob,
} from '../../../core/jobs/index.ts'
import { reserveKeys } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { blobKeys, requireDiskSpace } from '../../../stores/storage/index.ts'
import { presentExport } from '../../content/index.ts'
import { findReposById, requireRepo, type RepoAddress } from '../../repos/index.ts'
import { QueryProcesses } from '../query/engine/processes.ts'
import { narrowedBy } from '../query/narrowed.ts'
import {
  isExported,
  notExported,
  openViewed,
  requireConfig,
  requireSplit,
  type Viewed,
} from '../viewer/open.ts'
import { columnsOf } from '../viewer/split-rows.ts'
import { ViewerFault } from '../viewer/viewer-fault.ts'
import { downloadDir, fileNameOf } from './small.ts'
import { namesOf, writeParquet, type Wanted } from './write-parquet.ts'

/** Jobs leave the processes of requests alone. */
const processes = new QueryProcesses({ atOnce: 2, maxWaiting: 10 })
const DEADLINE_MS = 40 * 60_000

const Asked = z.object({
  config: z.string(),
  split: z.string(),
  where: z.string().optional(),
  orderby: z.string().optional(),
  query: z.string().optional(),
  columns: z.array(z.string()).optional(),
})
type Asked = z.output<typeof Asked>

/** Writes the rows of a filter or a search of a split into one Parquet file, which the result links to. */
export const datasetExport = defineJob({
  kind: 'dataset.export',
  maxAttempts: 3,
  unit: 'rows',
  input: z.object({ repo_id: z.string(), name: z.string(), asked: Asked }),
  atOnce: ({ viewer }) => viewer.convert_concurrency,
  onePerUser: true,
  title: ({ name, asked: { config, split } }) => `Parquet of ${name} ${config} / ${split}`,
  run: (ctx, { repo_id, asked }, job) =>
    exportRows({ ...ctx, signal: job.signal }, repo_id, asked, job).catch((error: unknown) => {
      throw problemOf(error)
    }),
  present: async (ctx, job) => {
    const { rows, partial } = job.result
    return { ...presentExport(ctx, job), rows, partial }
  },
})

/** Queues the job; an equal one under way for the same caller is answered instead. */
export async function createExport(ctx: Ctx, address: RepoAddress, asked: Asked): Promise<JobRow> {
  const repo = await requireRepo(ctx, address, 'repo.compare')
  try {
    const { config } = placeOf(await openViewed(ctx, repo), asked)
    narrowedBy(asked, columnsOf(config))
    namesOf(asked, columnsOf(config))
  } catch (error) {
    throw problemOf(error)
  }
  const by = ctx.actor.kind === 'user' ? ctx.actor.id : ''
  const input = { repo_id: repo.id, name: repo.name, asked }
  const asText = createHash('sha256')
    .update(JSON.stringify(Asked.parse(asked)))
    .digest('hex')
  const options = { dedupKey: [repo.id, by, asText].join('/'), repoId: repo.id }
  return ctx.db.write((tx) => enqueue(tx, ctx, datasetExport, input, options))
}

const NOT_READY_S = 5

/** What the viewer refuses is final for a job, and an answer of the request that asks for one; what is not ready may pass. */
function problemOf(error: unknown): unknown {
  if (!(error instanceof ViewerFault)) return error
  const about = { detail: error.message, cause: error }
  return error.code === 'ResponseNotReady'
    ? new Problem('temporarily-unavailable', { ...about, retryAfterS: NOT_READY_S })
    : new Problem('validation-failed', about)
}

function placeOf(viewed: Viewed, asked: Asked): Wanted {
  const config = requireConfig(viewed, asked.config)
  const split = requireSplit(config, asked.split)
  if (!isExported(split)) throw notExported(viewed, config, split)
  return { ...asked, config, split }
}

async function exportRows(
  ctx: Ctx,
  repoId: string,
  asked: Asked,
  job: RunningJob,
): Promise<Record<string, unknown>> {
  const repo = (await findReposById(ctx.db, [repoId], '')).get(repoId)
  if (!repo || repo.isDeleted) throw new Problem('repo-not-found')
  const viewed = await openViewed(ctx, repo)
  const wanted = placeOf(viewed, asked)
  const folder = join(downloadDir(ctx), `${job.id}-${job.attempt}-${randomUUID()}`)
  await mkdir(folder, { recursive: true })
  try {
    const path = join(folder, 'rows.parquet')
    const total = wanted.split.rows ?? 0
    const report = new Reports(job, total)
    const how = { processes, path, deadlineMs: DEADLINE_MS, isPatient: true, onRows: report.take }
    const { rows, sizeBytes, isPartial } = await writeParquet(ctx, viewed, wanted, how)
    await report.end()
    const part = isPartial ? ', the first part of those asked for' : ''
    job.log(`Wrote ${howMany(rows, 'row')}${part}, ${howLarge(sizeBytes)}.`)
    await requireDiskSpace(ctx.blobs, sizeBytes, 'the file')
    // Every attempt has a key of its own, since keys are never written twice.
    const key = blobKeys.export(job.id, `${job.attempt}.parquet`)
    await job.write((tx) => reserveKeys(tx, ctx, [key]))
    await ctx.blobs.put(key, createReadStream(path), { sizeBytes, signal: job.signal })
    await job.progress(total, total)
    const file_name = fileNameOf(repo, wanted.config, wanted.split)
    return { key, size: sizeBytes, file_name, rows, partial: isPartial }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The engine reports between two looks at the job; a failed one ends the work by the job's signal. */
class Reports {
  #last: Promise<void> = Promise.resolve()
  readonly #job: RunningJob
  readonly #total: number

  constructor(job: RunningJob, total: number) {
    this.#job = job
    this.#total = total
  }

  take = (rows: number): void => {
    this.#last = this.#last.then(() => this.#job.progress(rows, this.#total)).catch(() => undefined)
  }

  end(): Promise<void> {
    return this.#last
  }
}
