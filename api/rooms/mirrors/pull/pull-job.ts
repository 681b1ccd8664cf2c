import type { Ctx } from '../../../core/ctx.ts'
import { defineJob, mayPass, problemOf, type RunningJob } from '../../../core/jobs/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { queueConversion } from '../../datasets/index.ts'
import { queueIndex } from '../../indexing/index.ts'
import { queueScan } from '../../scans/index.ts'
import { requireUpstream, tokenFor, type Caller } from '../../upstreams/index.ts'
import { describeUpstream } from '../reading/describe.ts'
import { openRemote, resolveRemote } from '../reading/remote.ts'
import { addSync, findMirror, setMirror, type MirrorRow } from '../queries.ts'
import { joinSelections } from '../selection/select.ts'
import { nextSync } from '../settings/next-sync.ts'
import { viewPull } from '../view-pull.ts'
import { contextOf } from './asker.ts'
import { queueDependencies } from './dependencies.ts'
import { addWarnings } from './dependency-tree.ts'
import { fetchInto, type Fetched } from './fetch-into.ts'
import { makeMirror } from './make-mirror.ts'
import { pullFiles, selectedFiles } from './pull-files.ts'
import { chooseTarget } from './target.ts'
import { PullInput, pullTicket } from './ticket.ts'

/** Brings a repo of an upstream here, or more of one: its commits, and the large files that are wanted. */
export const pull = defineJob({
  ...pullTicket,
  input: PullInput,
  details: viewPull,
  run: (ctx, input, job) => runPull(ctx, input, job).catch((error: unknown) => tellRoot(input, job, error)),
})

/** Another pull goes on without what it depends on, and says that it did not come. */
async function tellRoot({ root, name }: PullInput, job: RunningJob, error: unknown): Promise<never> {
  if (
    root !== undefined &&
    !job.signal.aborted &&
    (!mayPass(error) || job.attempt >= pullTicket.maxAttempts)
  ) {
    const why = problemOf(error)
    await job.write((tx) => addWarnings(tx, root, [`${name} did not come (${why.code}): ${why.message}`]))
  }
  throw error
}

async function runPull(ctx: Ctx, input: PullInput, job: RunningJob): Promise<Record<string, unknown>> {
  if (input.of) return completeFiles(ctx, input, input.of, job)
  const asker = await contextOf(ctx, input.user_id)
  const upstream = await requireUpstream(ctx, input.upstream)
  const { token } = await tokenFor(ctx, upstream, input.user_id)
  const caller: Caller = { upstream, token, signal: job.signal }
  const found = await describeUpstream(ctx, caller, input, input.revision)
  const target = await chooseTarget(asker, upstream, {
    type: input.type,
    name: found.name,
    isRestricted: found.isRestricted,
    targetNs: input.target_ns,
    visibility: input.visibility,
  })
  const repo = { type: input.type, name: found.name }
  const mustBeGit = target.mirror?.fidelity === 'git'
  const remote = await openRemote(ctx, caller, repo, { mustBeGit })
  const at = await resolveRemote(ctx, remote, input.revision)
  job.log(`${upstream.name} has ${found.name} ${input.revision} at ${at.commit}.`)
  const fetching = { history: input.history, signal: job.signal, isVisible: true }
  let fetched: Fetched = at
  const mirror = target.mirror
    ? await extendMirror(ctx, input, target.mirror, async ({ repo_id }) => {
        fetched = await fetchInto(asker, remote, repo_id, at, fetching)
      })
    : await makeMirror(
        ctx,
        { input, found, target, at, fidelity: remote.fidelity },
        async (repoId, branch, reveal) => {
          fetched = await fetchInto(asker, remote, repoId, at, {
            ...fetching,
            ...(at.ref?.name === `refs/heads/${branch}` ? {} : { firstBranch: branch }),
            alongside: reveal,
          })
        },
      )
  await job.workOn(mirror.repo_id)
  job.log('The commit is here, with all but its large files.')
  // Another revision than the one that is followed says nothing of where the mirror is.
  const isFollowed = input.revision === mirror.revision
  if (isFollowed)
    await job.write((tx) => setMirror(tx, mirror.repo_id, { state: 'syncing', upstream_commit: at.commit }))
  try {
    const files = await selectedFiles(ctx, mirror.repo_id, at.commit, input.selection)
    await pullFiles(ctx, { caller, commit: at.commit, repoId: mirror.repo_id, asker, repo }, files, job)
    const { fidelity } = remote
    await job.write(async (tx) => {
      const { commit } = at
      const settled = { commit, upstreamCommit: commit, jobId: job.id }
      if (isFollowed) return settleMirror(tx, ctx, { ...mirror, fidelity }, settled)
      await addSync(tx, { repo_id: mirror.repo_id, commit, synced_at: ctx.now(), job_id: job.id })
      return queueReaders(tx, ctx, mirror.repo_id)
    })
    const { warning } = fetched
    if (warning !== undefined) {
      job.log(warning)
      await job.write((tx) => addWarnings(tx, job.id, [warning]))
    }
    const warnings = await queueDependencies(asker, input, mirror, job)
    for (const one of warnings) job.log(one)
    if (warning !== undefined) warnings.unshift(warning)
    return { commit: at.commit, files: files.length, ...(warnings.length > 0 ? { warnings } : {}) }
  } catch (error) {
    if (isFollowed && !job.signal.aborted) await job.write((tx) => failMirror(tx, mirror.repo_id, error))
    throw error
  }
}

/** Fetches files of a commit that is here. */
async function completeFiles(
  ctx: Ctx,
  { selection, type }: PullInput,
  { repo_id, commit }: { repo_id: string; commit: string },
  job: RunningJob,
): Promise<Record<string, unknown>> {
  const mirror = await findMirror(ctx.db, repo_id)
  if (!mirror || mirror.state === 'detached') return { skipped: 'The repo is no mirror any more.' }
  const upstream = await requireUpstream(ctx, mirror.upstream)
  const { token } = await tokenFor(ctx, upstream, mirror.read_by)
  const caller: Caller = { upstream, token, signal: job.signal }
  const asker = await contextOf(ctx, mirror.read_by)
  await job.workOn(repo_id)
  const files = await selectedFiles(ctx, repo_id, commit, selection)
  const repo = { type, name: mirror.upstream_repo }
  await pullFiles(ctx, { caller, commit, repoId: repo_id, asker, repo }, files, job)
  await job.write((tx) => queueReaders(tx, ctx, repo_id))
  return { commit, files: files.length }
}

/** Notes that a mirror is complete at a commit; a pinned one may be there while the upstream is further. */
export async function settleMirror(
  tx: Tx,
  ctx: Ctx,
  { repo_id, ...row }: MirrorRow,
  { commit, upstreamCommit, jobId }: { commit: string; upstreamCommit: string; jobId: string },
): Promise<void> {
  const now = ctx.now()
  await setMirror(tx, repo_id, {
    state: 'idle',
    fidelity: row.fidelity,
    local_commit: commit,
    upstream_commit: upstreamCommit,
    error: null,
    gone_since: null,
    last_sync_at: now,
    next_sync_at: nextSync(
      ctx,
      {
        ...row,
        repo_id,
      },
      now,
    ),
  })
  await addSync(tx, { repo_id, commit, synced_at: now, job_id: jobId })
  await queueReaders(tx, ctx, repo_id)
}

/** Has files read whose bytes may have come after their commit was looked at. */
async function queueReaders(tx: Tx, ctx: Ctx, repoId: string): Promise<void> {
  await queueIndex(tx, ctx, repoId)
  await queueScan(tx, ctx, repoId)
  await queueConversion(tx, ctx, repoId)
}

/** Notes why a mirror is not up to date. How often the upstream has refused it stays. */
export async function failMirror(tx: Tx, repoId: string, error: unknown): Promise<void> {
  const refusals = (await findMirror(tx, repoId))?.error?.refusals
  await setMirror(tx, repoId, {
    state: 'failed',
    error: { ...problemOf(error), ...(refusals === undefined ? {} : { refusals }) },
  })
}

/** A mirror that is there wants more from now on. */
async function extendMirror(
  ctx: Ctx,
  input: PullInput,
  mirror: MirrorRow,
  fetch: (mirror: MirrorRow) => Promise<void>,
): Promise<MirrorRow> {
  await fetch(mirror)
  const selection = joinSelections(mirror.selection, input.selection)
  // Another revision than the one that is followed is fetched once, and not wanted for ever.
  if (input.revision !== mirror.revision) return mirror
  const history = input.history === 'full' ? 'full' : mirror.history
  const changed = await ctx.db.write((tx) => setMirror(tx, mirror.repo_id, { selection, history }))
  return changed ?? mirror
}
