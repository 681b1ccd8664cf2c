import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import { moveRefs, withFresh } from '../../../core/git/index.ts'
import { defineJob, enqueue, type JobRow, type JobTicket, type RunningJob } from '../../../core/jobs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { requireRepoById } from '../../repos/index.ts'
import { findUpstream, tokenFor, type Caller } from '../../upstreams/index.ts'
import { contextOf } from '../pull/asker.ts'
import { fetchInto, hiddenRef } from '../pull/fetch-into.ts'
import { pullFiles, selectedFiles } from '../pull/pull-files.ts'
import { failMirror, settleMirror } from '../pull/pull-job.ts'
import { findMirror, listDue, listSyncs, setMirror, type MirrorRow } from '../queries.ts'
import { describeUpstream, requireStillOpen } from '../reading/describe.ts'
import { openRemote, resolveRemote } from '../reading/remote.ts'
import { nextSync } from '../settings/next-sync.ts'
import { viewPull } from '../view-pull.ts'
import { showHead } from './show-head.ts'

/** Earlier heads that stay whole, so that a commit somebody pinned still resolves. */
const KEPT_HEADS = 20
/** An upstream may be in disorder for a while; a repo that is missing so often, over so long, is gone. */
const GONE_AFTER = 3
const GONE_AFTER_MS = 24 * 3_600_000
const DUE_AT_ONCE = 50

const Input = z.object({ repo_id: z.string(), name: z.string() })

const syncTicket: JobTicket<z.output<typeof Input>> = {
  kind: 'mirror.sync',
  maxAttempts: 8,
  unit: 'bytes',
  title: ({ name }) => `Sync the mirror ${name}`,
}

/** Brings a mirror to where its upstream is: readers see the new head once all selected bytes are here. */
export const mirrorSync = defineJob({ ...syncTicket, input: Input, details: viewPull, run: runSync })

/** Queues syncs of mirrors whose time has come. */
export const mirrorDue = defineJob({
  kind: 'mirror.due',
  maxAttempts: 1,
  input: z.object({}),
  title: () => 'Look for mirrors to sync',
  async run(ctx, _, job) {
    const due = await listDue(ctx.db, ctx.now(), DUE_AT_ONCE)
    for (const mirror of due)
      await job.write(async (tx) => {
        // Once for each time, also where the sync fails.
        await setMirror(tx, mirror.repo_id, { next_sync_at: nextSync(ctx, mirror, ctx.now()) })
        await queueSync(tx, ctx, mirror)
      })
    return { queued: due.length }
  },
})

/** Every five minutes; a mirror that follows daily is late by that at most. */
export const DUE_SCHEDULE = '*/5 * * * *'

/** Queues a sync; one that has not ended is answered instead. */
export async function queueSync(tx: Tx, ctx: Ctx, mirror: MirrorRow): Promise<JobRow> {
  const { repo_id, upstream_repo: name } = mirror
  const job = await enqueue(tx, ctx, syncTicket, { repo_id, name }, { dedupKey: repo_id, repoId: repo_id })
  await tx.q
    .insert(tx.t.pulls)
    .values({ job_id: job.id, repo_id, parent_id: null, note: null, warnings: [] })
    .onConflictDoNothing()
  if (mirror.state !== 'syncing') await setMirror(tx, repo_id, { state: 'queued' })
  return job
}

async function runSync(ctx: Ctx, { repo_id }: { repo_id: string }, job: RunningJob) {
  const mirror = await findMirror(ctx.db, repo_id)
  if (!mirror || mirror.state === 'detached') return { skipped: 'The repo is no mirror any more.' }
  const repo = await requireRepoById(ctx, repo_id, 'repo.read')
  const upstream = await findUpstream(ctx, mirror.upstream)
  if (!upstream?.enabled)
    throw new Problem('not-found', { detail: `The upstream ${mirror.upstream} is not there, or disabled.` })
  const asker = await contextOf(ctx, mirror.created_by).catch(() => contextOf(ctx, null))
  const { token } = await tokenFor(ctx, upstream, mirror.read_by)
  const caller: Caller = { upstream, token, signal: job.signal }
  await job.write((tx) => setMirror(tx, repo_id, { state: 'syncing' }))
  try {
    const { name, at, remote } = await look(ctx, caller, mirror, repo.type)
    const isPinned = mirror.tracking === 'pinned' && mirror.local_commit !== null
    job.log(`${upstream.name} has ${name} ${mirror.revision} at ${at.commit}.`)
    if (isPinned) job.log(`The mirror is pinned to ${mirror.local_commit}.`)
    const next = isPinned ? { commit: mirror.local_commit ?? at.commit } : at
    await job.write((tx) =>
      setMirror(tx, repo_id, {
        upstream_commit: at.commit,
        upstream_repo: name,
        upstream_key: name.toLowerCase(),
      }),
    )
    const here = await fetchInto(asker, remote, repo_id, next, {
      history: mirror.history,
      signal: job.signal,
      isVisible: false,
    })
    job.log('The commit is here, with all but its large files.')
    if (here.warning !== undefined) job.log(here.warning)
    const files = await selectedFiles(ctx, repo_id, next.commit, mirror.selection)
    const source = { caller, commit: next.commit, repoId: repo_id, asker }
    await pullFiles(ctx, { ...source, repo: { type: repo.type, name } }, files, job)
    if (!isPinned) await showHead(ctx, repo_id, here, job.write.bind(job))
    const { fidelity } = remote
    const settled = { commit: next.commit, upstreamCommit: at.commit, jobId: job.id }
    await job.write((tx) => settleMirror(tx, ctx, { ...mirror, fidelity }, settled))
    await dropOldHeads(ctx, repo_id, job)
    const warnings = here.warning === undefined ? {} : { warnings: [here.warning] }
    return { commit: next.commit, files: files.length, ...warnings }
  } catch (error) {
    if (!job.signal.aborted) await job.write((tx) => noteFailure(tx, ctx, mirror, error))
    throw error
  }
}

/** Where the upstream is now. A repo that was renamed there is followed. */
async function look(ctx: Ctx, caller: Caller, mirror: MirrorRow, type: 'model' | 'dataset') {
  const found = await describeUpstream(ctx, caller, { type, name: mirror.upstream_repo }, mirror.revision)
  requireStillOpen(caller, mirror, found)
  const mustBeGit = mirror.fidelity === 'git'
  const remote = await openRemote(ctx, caller, { type, name: found.name }, { mustBeGit })
  return { name: found.name, remote, at: await resolveRemote(ctx, remote, mirror.revision) }
}

async function dropOldHeads(ctx: Ctx, repoId: string, job: RunningJob): Promise<void> {
  const syncs = await listSyncs(ctx.db, repoId)
  const kept = new Set(syncs.slice(0, KEPT_HEADS).map(({ commit }) => hiddenRef(commit)))
  await withFresh(ctx.git, repoId, async (snapshot) => {
    const moves = snapshot
      .listRefs(hiddenRef(''))
      .filter(({ name }) => !kept.has(name))
      .map(({ name, oid }) => ({ name, from: oid }))
    if (moves.length > 0)
      await moveRefs(ctx.git, { snapshot, moves, via: 'mirror' }, { write: job.write.bind(job) })
  })
}

/** An upstream without the repo three times over a day is gone for good; what is here stays in any case. */
async function noteFailure(tx: Tx, ctx: Ctx, { repo_id }: MirrorRow, error: unknown): Promise<void> {
  await failMirror(tx, repo_id, error)
  const isMissing =
    error instanceof Problem && ['not-found', 'gated', 'revision-not-found'].includes(error.code)
  const row = isMissing ? await findMirror(tx, repo_id) : undefined
  if (!row?.error) return
  const since = row.gone_since ?? ctx.now()
  const refusals = (row.error.refusals ?? 0) + 1
  const isGone = refusals >= GONE_AFTER && ctx.now().getTime() - since.getTime() >= GONE_AFTER_MS
  await setMirror(tx, repo_id, {
    gone_since: since,
    error: { ...row.error, refusals },
    ...(isGone ? { state: 'upstream_gone' } : {}),
  })
}
