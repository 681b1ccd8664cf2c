import { eq, sql } from 'drizzle-orm'
import type { MirrorHistory, MirrorTracking, Selection } from '../../../../shared/vocabulary.ts'
import { requireAccount } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { cancelJobsOf, isSchedule, type JobRow } from '../../../core/jobs/index.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'
import { findNamespace } from '../../namespaces/index.ts'
import { markChanged, requireRepo, requireRepoById, type Repo, type RepoAddress } from '../../repos/index.ts'
import { findMirror, listSyncs, setMirror, type MirrorRow, type Reader } from '../queries.ts'
import { queuePull } from '../pull/ticket.ts'
import { queueSync } from '../sync/sync-job.ts'
import { findDistances, type Distances } from './distances.ts'
import { nextSync } from './next-sync.ts'

/** A mirror as its page shows it. */
export interface Mirror {
  row: MirrorRow
  /** The id here of the commit that is here: another one than the upstream's where that has no git. */
  localCommit: string | undefined
  bytesPresent: number
  bytesTotal: number
  /** Other commits that were synced, the newest first. */
  previous: { commit: string; synced_at: Date; job_id: string | null }[]
  distances: Distances
}

/** What may be changed of a mirror. */
export interface MirrorUpdate {
  selection?: Selection | undefined
  tracking?: MirrorTracking | undefined
  /** Five fields of cron; `null` for the daily one. */
  schedule?: string | null | undefined
  history?: MirrorHistory | undefined
}

const notMirror = () => new Problem('not-found', { detail: 'This repo is not a mirror.' })

async function requireMirror(db: Reader, repo: Repo): Promise<MirrorRow> {
  const row = await findMirror(db, repo.id)
  if (!row || row.state === 'detached') throw notMirror()
  return row
}

/** The mirror that a repo is. Problem `not-found` for an ordinary repo. */
export async function getMirror(ctx: Ctx, address: RepoAddress): Promise<Mirror> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const row = await findMirror(ctx.db, repo.id)
  if (!row) throw notMirror()
  return describe(ctx, repo, row)
}

async function describe(ctx: Ctx, repo: Repo, row: MirrorRow): Promise<Mirror> {
  const { q, t } = ctx.db
  const { lfs_links: l, lfs_objects: o, lfs_absent: a } = t
  const sum = (column: typeof o.size | typeof a.size) =>
    sql<number>`coalesce(sum(${column}), 0)`.mapWith(Number)
  const [here] = await q
    .select({ bytes: sum(o.size) })
    .from(l)
    .innerJoin(o, eq(o.sha256, l.sha256))
    .where(eq(l.repo_id, row.repo_id))
  const [lacking] = await q
    .select({ bytes: sum(a.size) })
    .from(a)
    .where(eq(a.repo_id, row.repo_id))
  const bytesPresent = here?.bytes ?? 0
  const previous = (await listSyncs(ctx.db, row.repo_id)).filter(({ commit }) => commit !== row.local_commit)
  const snapshot = await ctx.git.open(row.repo_id)
  const localCommit =
    row.local_commit === null ? undefined : (await snapshot.resolve(row.local_commit))?.commit
  const distances = await findDistances(ctx, repo, row, snapshot)
  const bytesTotal = bytesPresent + (lacking?.bytes ?? 0)
  return { row, localCommit, bytesPresent, bytesTotal, previous, distances }
}

/** Changes what a mirror follows, and how. Problems: those of its address, `validation-failed` for a schedule that never comes. */
export async function updateMirror(ctx: Ctx, address: RepoAddress, change: MirrorUpdate): Promise<Mirror> {
  const repo = await requireRepo(ctx, address, 'repo.settings')
  if (change.schedule && !isSchedule(change.schedule, ctx.config.server.timezone))
    throw invalidField('schedule', 'use five fields of cron, such as 30 2 * * *', 'invalid')
  const row = await ctx.db.write(async (tx) => {
    const before = await requireMirror(tx, repo)
    const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const after = { ...before, ...(set as Partial<MirrorRow>) }
    const changed = await setMirror(tx, repo.id, { ...set, next_sync_at: nextSync(ctx, after, ctx.now()) })
    await audit(tx, ctx, {
      action: 'mirror.update',
      target: { type: 'repo', id: repo.id, name: `${repo.ns}/${repo.name}` },
      before: factsOf(before),
      after: factsOf(after),
    })
    return changed
  })
  if (!row) throw notMirror()
  return describe(ctx, repo, row)
}

const factsOf = ({ selection, tracking, schedule, history }: MirrorRow) => ({
  selection,
  tracking,
  schedule,
  history,
})

/** Queues a sync now; one that has not ended is answered instead. */
export async function syncNow(ctx: Ctx, address: RepoAddress): Promise<JobRow> {
  const repo = await requireRepo(ctx, address, 'repo.settings')
  return ctx.db.write(async (tx) => queueSync(tx, ctx, await requireMirror(tx, repo)))
}

/**
 * Queues a pull of more files of a mirror. Admins of the repo may; in a namespace that was made for mirrors,
 * every signed-in person, as for the mirror itself.
 */
export async function pullMore(ctx: Ctx, address: RepoAddress, selection: Selection): Promise<JobRow> {
  const user = requireAccount(ctx.actor, 'write')
  const seen = await requireRepo(ctx, address, 'repo.read')
  const space = await findNamespace(ctx.db, seen.ns)
  const repo = space?.mirror_of ? seen : await requireRepo(ctx, address, 'repo.settings')
  return ctx.db.write(async (tx) => {
    const mirror = await requireMirror(tx, repo)
    const input = {
      upstream: mirror.upstream,
      type: repo.type,
      name: mirror.upstream_repo,
      revision: mirror.revision,
      selection,
      tracking: mirror.tracking,
      history: mirror.history,
      ...(space?.mirror_of ? {} : { target_ns: repo.ns }),
      user_id: user.id,
      dependencies: {
        code: false,
        base_models: false,
      },
      depth: 0,
    }
    return queuePull(tx, ctx, input, { repoId: repo.id })
  })
}

/**
 * Makes a mirror an ordinary repo, at once. What was never pulled stays listed without its bytes, and who may write can upload
 * exactly those. Jobs that bring more end.
 */
export async function detachMirror(ctx: Ctx, address: RepoAddress): Promise<Repo> {
  const repo = await requireRepo(ctx, address, 'repo.settings')
  await ctx.db.write(async (tx) => {
    const mirror = await requireMirror(tx, repo)
    await setMirror(tx, repo.id, { state: 'detached', next_sync_at: null, error: null })
    await markChanged(tx, repo.id)
    await cancelJobsOf(tx, ctx, { repoId: repo.id, kinds: ['pull', 'mirror.sync'] })
    await audit(tx, ctx, {
      action: 'mirror.detach',
      target: { type: 'repo', id: repo.id, name: `${repo.ns}/${repo.name}` },
      before: { upstream: mirror.upstream, repo: mirror.upstream_repo },
    })
  })
  return requireRepoById(ctx, repo.id, 'repo.read')
}
