import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { defineJob, type RunningJob } from '../../../core/jobs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { queueConversion } from '../../datasets/index.ts'
import { queueIndex } from '../../indexing/index.ts'
import { queueScan } from '../../scans/index.ts'
import { ensureMirrorNamespace } from '../../namespaces/index.ts'
import { createRepo } from '../../repos/index.ts'
import { requireUpstream, tokenFor, type Caller } from '../../upstreams/index.ts'
import { describeUpstream, type UpstreamRevision } from '../reading/describe.ts'
import { findMirror, setMirror, type MirrorRow } from '../queries.ts'
import { isEmptySelection, joinSelections } from '../selection/select.ts'
import { firstSync, nextSync } from '../settings/next-sync.ts'
import { contextOf } from './asker.ts'
import { queueDependencies } from './dependencies.ts'
import { fetchInto, requireRemote, resolveRemote, type RemoteRevision } from './fetch-into.ts'
import { pullFiles, selectedFiles } from './pull-files.ts'
import { chooseTarget, type Target } from './target.ts'
import { PullInput, pullTicket } from './ticket.ts'

/** Brings a repo of an upstream here, or more of one: its commits, and the large files that are wanted. */
export const pull = defineJob({ ...pullTicket, input: PullInput, run: runPull })

async function runPull(ctx: Ctx, input: PullInput, job: RunningJob): Promise<Record<string, unknown>> {
  const asker = await contextOf(ctx, input.user_id)
  const upstream = await requireUpstream(ctx, input.upstream)
  const { token } = await tokenFor(ctx, upstream, input.user_id)
  const caller: Caller = { upstream, token, signal: job.signal }
  const found = await describeUpstream(ctx, caller, input, input.revision)
  const remote = await requireRemote(ctx, caller, { type: input.type, name: found.name })
  const at = await resolveRemote(remote, input.revision)
  const target = await chooseTarget(asker, upstream, {
    type: input.type,
    name: found.name,
    isRestricted: found.isRestricted,
    targetNs: input.target_ns,
    visibility: input.visibility,
  })
  const fetching = { history: input.history, signal: job.signal, isVisible: true }
  const mirror = target.mirror
    ? await extendMirror(ctx, input, target.mirror, () =>
        fetchInto(asker, remote, target.mirror?.repo_id ?? '', at, fetching),
      )
    : await makeMirror(ctx, { input, found, target, at }, (repoId, branch, reveal) =>
        fetchInto(asker, remote, repoId, at, {
          ...fetching,
          ...(at.ref?.name === `refs/heads/${branch}` ? {} : { firstBranch: branch }),
          alongside: reveal,
        }),
      )
  await job.workOn(mirror.repo_id)
  await job.write(async (tx) => {
    await setMirror(tx, mirror.repo_id, { state: 'syncing', upstream_commit: at.commit })
  })
  try {
    const files = await selectedFiles(ctx, mirror.repo_id, at.commit, input.selection)
    const source = { caller, commit: at.commit, repoId: mirror.repo_id, asker }
    await pullFiles(ctx, { ...source, repo: { type: input.type, name: found.name } }, files, job)
    await job.write((tx) => settleMirror(tx, ctx, mirror, at.commit, job.id))
    const warnings = await queueDependencies(asker, input, mirror, job)
    return { commit: at.commit, files: files.length, ...(warnings.length > 0 ? { warnings } : {}) }
  } catch (error) {
    if (!job.signal.aborted) await job.write((tx) => failMirror(tx, mirror.repo_id, error))
    throw error
  }
}

/** Notes that a mirror is complete at a commit. */
export async function settleMirror(
  tx: Tx,
  ctx: Ctx,
  { repo_id, ...row }: MirrorRow,
  commit: string,
  jobId: string,
): Promise<void> {
  const now = ctx.now()
  await setMirror(tx, repo_id, {
    state: 'idle',
    local_commit: commit,
    upstream_commit: commit,
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
  const kept = { repo_id, commit, synced_at: now, job_id: jobId }
  await tx.q
    .insert(tx.t.mirror_syncs)
    .values(kept)
    .onConflictDoUpdate({ target: [tx.t.mirror_syncs.repo_id, tx.t.mirror_syncs.commit], set: kept })
  // The bytes may have come after the commit was looked at.
  await queueIndex(tx, ctx, repo_id)
  await queueScan(tx, ctx, repo_id)
  await queueConversion(tx, ctx, repo_id)
}

/** Notes why a mirror is not up to date. */
export async function failMirror(tx: Tx, repoId: string, error: unknown): Promise<void> {
  const problem = error instanceof Problem ? error : new Problem('internal')
  await setMirror(tx, repoId, {
    state: 'failed',
    error: { code: problem.code, message: problem.detail ?? problem.title },
  })
}

/** A mirror that is there wants more from now on. */
async function extendMirror(
  ctx: Ctx,
  input: PullInput,
  mirror: MirrorRow,
  fetch: () => Promise<void>,
): Promise<MirrorRow> {
  await fetch()
  const selection = joinSelections(mirror.selection, input.selection)
  // Another revision than the one that is followed is fetched once, and not wanted for ever.
  if (input.revision !== mirror.revision) return mirror
  const history = input.history === 'full' ? 'full' : mirror.history
  const changed = await ctx.db.write((tx) => setMirror(tx, mirror.repo_id, { selection, history }))
  return changed ?? mirror
}

interface NewMirror {
  input: PullInput
  found: UpstreamRevision
  target: Target
  at: RemoteRevision
}

type WriteCommits = (repoId: string, branch: string, reveal: (tx: Tx) => Promise<void>) => Promise<void>

/** Makes the repo, with the upstream's commits for its own: all of it, or nothing. */
async function makeMirror(ctx: Ctx, made: NewMirror, write: WriteCommits): Promise<MirrorRow> {
  const { input, found, target, at } = made
  const { ns, name, visibility } = target
  if (target.isMirrorNamespace) await ensureMirrorNamespace(ctx, { ns, upstream: input.upstream })
  const branch = /^refs\/heads\/(.+)$/.exec(at.ref?.name ?? '')?.[1] ?? 'main'
  const repo = await createRepo(
    ctx,
    { type: input.type, ns, name, visibility, defaultBranch: branch },
    async (_, first) =>
      write(first.repo.id, first.branch, async (tx) => {
        await first.reveal(tx)
        await addMirror(tx, ctx, first.repo.id, made)
      }),
  )
  const row = await findMirror(ctx.db, repo.id)
  if (!row) throw new Error(`the mirror ${repo.id} has no row`)
  ctx.log.info({ repo: repo.id, upstream: input.upstream, of: found.name }, 'a mirror was made')
  return row
}

async function addMirror(
  tx: Tx,
  ctx: Ctx,
  repoId: string,
  { input, found, at, target }: NewMirror,
): Promise<void> {
  const { upstream, revision, tracking, history, selection, user_id } = input
  const now = ctx.now()
  const row: MirrorRow = {
    repo_id: repoId,
    upstream,
    upstream_repo: found.name,
    upstream_key: found.name.toLowerCase(),
    revision,
    selection: isEmptySelection(selection) ? {} : selection,
    tracking,
    history,
    schedule: null,
    fidelity: 'git',
    state: 'syncing',
    error: null,
    gone_since: null,
    upstream_commit: at.commit,
    local_commit: null,
    last_sync_at: null,
    next_sync_at: firstSync(
      ctx,
      {
        repo_id: repoId,
        tracking,
      },
      now,
    ),
    read_by: found.isRestricted ? user_id : null,
    created_by: user_id,
    created_at: now,
  }
  await tx.q.insert(tx.t.mirrors).values(row)
  await audit(tx, ctx, {
    action: 'mirror.create',
    target: { type: 'repo', id: repoId, name: `${target.ns}/${target.name}` },
    after: { upstream, repo: found.name, revision },
  })
}
