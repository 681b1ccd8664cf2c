import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../../core/ctx.ts'
import { howLarge, howMany, type RunningJob } from '../../../core/jobs/index.ts'
import { findUsable, linkArrived, markPulling } from '../../../core/lfs/index.ts'
import { Limiter } from '../../../platform/flow/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { describeEntries } from '../../content/index.ts'
import { readPlan } from '../../datasets/index.ts'
import { requireQuota, requireRepoById } from '../../repos/index.ts'
import { namesParts, selectFiles } from '../selection/select.ts'
import type { Selection } from '../../../../shared/vocabulary.ts'
import { resolvedFile } from '../reading/file-source.ts'
import { findTransfer, type Wanted } from '../transfer/rows.ts'
import { isHere, transfer } from '../transfer/transfer.ts'
import { waitsFor } from '../transfer/windows.ts'
import { PullProgress, type PulledFile } from './progress.ts'
import { addProvenance, type PullSource } from './provenance.ts'

const BATCH = 1000
const WINDOW_LOOK_MS = 10_000

/** The large files of a repo at a commit, by its id here or at the upstream, that a selection wants; by path. */
export async function selectedFiles(
  ctx: Ctx,
  repoId: string,
  commit: string,
  selection: Selection,
): Promise<PulledFile[]> {
  const snapshot = await ctx.git.open(repoId, ctx)
  const here = await snapshot.resolve(commit)
  const root = here && (await snapshot.findCommit(here.commit))?.tree
  if (root === undefined) throw new Problem('revision-not-found', { detail: `Invalid rev id: ${commit}` })
  const large: PulledFile[] = []
  let batch: Parameters<typeof describeEntries>[1] = []
  const flush = async () => {
    for (const { path, lfs } of await describeEntries(snapshot, batch))
      if (lfs) large.push({ path, sha256: lfs.sha256, sizeBytes: lfs.sizeBytes })
    batch = []
  }
  for await (const entry of snapshot.walk(root)) {
    if (entry.kind === 'file') batch.push(entry)
    if (batch.length === BATCH) await flush()
  }
  await flush()
  if (!namesParts(selection)) return selectFiles(large, selection)
  const { name } = await requireRepoById(ctx, repoId, 'repo.read')
  return selectFiles(
    large,
    selection,
    await readPlan(ctx, { name }, { snapshot, commit: here?.commit ?? commit }),
  )
}

/**
 * Brings files of an upstream into a repo, several at once. What the person may use anyway is linked. A file that fails does
 * not stop the others; the first failure is thrown at the end. Problem `quota-exceeded` before anything is transferred.
 */
export async function pullFiles(
  ctx: Ctx,
  source: PullSource,
  files: readonly PulledFile[],
  job: RunningJob,
): Promise<void> {
  await requireQuota(ctx, source.repoId, { objects: [...files] })
  const progress = new PullProgress(ctx, job, source.repoId, files)
  await progress.begin()
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  job.log(`${howMany(files.length, 'large file')} wanted, ${howLarge(total)}.`)
  const slots = new Limiter({ atOnce: ctx.config.pull.concurrency })
  const failures: unknown[] = []
  await Promise.all(
    files.map((file) =>
      pullFile(ctx, source, file, { job, progress, slots }).catch((error: unknown) => {
        failures.push(error)
        if (job.signal.aborted) return
        const message = messageOf(error)
        job.log(`${file.path} failed: ${message}`)
        progress.set(file.path, { done: 0, status: 'failed', error: message })
      }),
    ),
  )
  job.signal.throwIfAborted()
  await progress.end()
  if (failures.length === 0) return
  const shas = files.map(({ sha256 }) => sha256)
  await job.write((tx) => markPulling(tx, source.repoId, shas, null))
  throw failures[0]
}

const messageOf = (error: unknown) =>
  error instanceof Problem
    ? (error.detail ?? error.title)
    : 'The file could not be stored. The server’s log says why.'

async function pullFile(
  ctx: Ctx,
  source: PullSource,
  file: PulledFile,
  { job, progress, slots }: { job: RunningJob; progress: PullProgress; slots: Limiter },
): Promise<void> {
  const { caller, repo, commit, repoId } = source
  const { signal } = job
  const at = { repo, commit, path: file.path, sizeBytes: file.sizeBytes }
  let hasBegun = false
  const how = await transfer(
    ctx,
    { repoId, sha256: file.sha256, sizeBytes: file.sizeBytes },
    resolvedFile(ctx, caller, at),
    {
      signal,
      slots,
      link: () => linkUsable(source, file, job),
      progress: (bytes) =>
        progress.set(file.path, {
          done: bytes,
          status: bytes === file.sizeBytes ? 'verifying' : 'transferring',
        }),
      untilAllowed: async () => {
        await untilWindow(ctx, { repoId, ...file }, signal, progress)
        if (!hasBegun) job.log(`${file.path} begins, ${howLarge(file.sizeBytes)}.`)
        hasBegun = true
      },
      alongside: (tx) => addProvenance(tx, source, file, { ctx, jobId: job.id, verified: 'sha256' }),
    },
  )
  job.log(
    `${file.path} ${how === 'fetched' ? 'is here and verified' : 'is skipped, since it is here already'}.`,
  )
  progress.set(file.path, { done: file.sizeBytes, status: how === 'linked' ? 'skipped' : 'done' })
}

/** Links bytes that are here and that the person may use: a hash that an upstream names gives no right to them. */
async function linkUsable(source: PullSource, file: PulledFile, job: RunningJob): Promise<boolean> {
  const { asker, repoId } = source
  const found = await findUsable(asker.db, asker, [file.sha256])
  if (found.get(file.sha256)?.size !== file.sizeBytes) return false
  await job.write(async (tx) => {
    const waited = await linkArrived(tx, repoId, [file.sha256], asker.now())
    if (waited > 0) await addProvenance(tx, source, file, { ctx: asker, jobId: job.id, verified: 'linked' })
  })
  return true
}

/** Waits for the next of `pull.windows`, and says so. A file that a reader waits for does not wait, nor one that a reader has brought. */
async function untilWindow(
  ctx: Ctx,
  file: Wanted,
  signal: AbortSignal,
  progress: PullProgress,
): Promise<void> {
  const { windows } = ctx.config.pull
  const { timezone } = ctx.config.server
  for (;;) {
    const time = waitsFor(windows, timezone, ctx.now())
    const wantedUntil = time === undefined ? null : ((await findTransfer(ctx.db, file))?.wanted_until ?? null)
    const isWanted = wantedUntil !== null && wantedUntil > ctx.now()
    if (time === undefined || isWanted || (await isHere(ctx, file))) return progress.waits(null)
    progress.waits(`Waiting for ${time} (${timezone || 'UTC'}), when transfers may run (pull.windows).`)
    await pause(WINDOW_LOOK_MS, undefined, { signal })
  }
}
