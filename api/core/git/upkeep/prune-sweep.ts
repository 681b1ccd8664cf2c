import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, ne, notExists, sql } from 'drizzle-orm'
import type { Ctx } from '../../ctx.ts'
import { StoreError } from '../../../stores/storage/index.ts'
import type { Sweep, SweepRun } from '../../sweep.ts'
import type { Git } from '../git.ts'
import { markPointers } from './mark-pointers.ts'
import { prune } from './prune.ts'
import { leadFurther, Overtaken, presentOf, rootsOf } from './roots.ts'
import { withSkeleton } from '../runner/skeleton.ts'

const PAGE = 500
/** Commits of the API, each with whole folders in a pack of its own, after which a repo is packed again. */
const MANY_COMMITS = 100
/** Moves of refs looked at in one run, of one repo. */
const MAX_MOVES = 20_000

/**
 * Part of `gc`: drops what the refs of repos have lost more than `gc.grace_period` ago, and then the links to large files
 * that no root leads to any more (git-storage.md §7). A repo that fails is left as it is, logged and counted.
 */
export const unreachable: Sweep = {
  name: 'git',
  async run(ctx, run) {
    const counts = { repos: 0, pruned: 0, busy: 0, objects: 0, unlinked: 0, failed: 0 }
    for await (const repo of livingRepos(ctx)) {
      run.signal.throwIfAborted()
      counts.repos++
      try {
        await sweepRepo(ctx, run, repo, counts)
      } catch (err) {
        run.signal.throwIfAborted()
        if (err instanceof Overtaken) counts.busy++
        else if (err instanceof StoreError && err.kind === 'transient') throw err
        else {
          ctx.log.error({ err, repo: repo.id }, 'gc: a repo could not be pruned')
          counts.failed++
        }
      }
    }
    return counts
  },
}

interface LivingRepo {
  id: string
  refSeq: number
  markedSeq: number
}

/** Repos that have content and are not being purged. */
async function* livingRepos({ db: { q, t } }: Ctx): AsyncGenerator<LivingRepo> {
  const { repos, git_repos } = t
  for (let after = ''; ;) {
    const page = await q
      .select({ id: repos.id, refSeq: git_repos.ref_seq, markedSeq: git_repos.lfs_marked_seq })
      .from(repos)
      .innerJoin(git_repos, eq(git_repos.repo_id, repos.id))
      .where(and(gt(repos.id, after), gt(git_repos.ref_seq, 0), isNull(repos.purging_at)))
      .orderBy(asc(repos.id))
      .limit(PAGE)
    yield* page
    const last = page.at(-1)
    if (!last) return
    after = last.id
  }
}

async function sweepRepo(
  ctx: Ctx,
  { dryRun, signal, write }: SweepRun,
  repo: LivingRepo,
  counts: { pruned: number; busy: number; objects: number; unlinked: number },
): Promise<void> {
  const keepSince = new Date(ctx.now().getTime() - ctx.config.gc.grace_period)
  if (await isDue(ctx, repo.id, keepSince, signal)) {
    const dropped = dryRun ? 0 : await prune(ctx.git, repo.id, { keepSince, write, signal })
    // What is unreachable may still be made reachable again, so its large files stay.
    if (dropped === undefined) return void counts.busy++
    counts.pruned++
    counts.objects += dropped
  }
  if (repo.refSeq !== repo.markedSeq && !dryRun)
    counts.unlinked += await markPointers(ctx, repo.id, { keepSince, write, signal })
}

/** Whether a ref has lost commits longer ago than `keepSince`, or many small packs have come since the last time. */
async function isDue(ctx: Ctx, repoId: string, keepSince: Date, signal: AbortSignal): Promise<boolean> {
  const last = await lastPruned(ctx.git, repoId)
  if ((await countCommits(ctx, repoId, last ?? keepSince)) > MANY_COMMITS) return true
  const from = new Date((last?.getTime() ?? 0) - ctx.config.gc.grace_period)
  const left = await leftCommits(ctx, repoId, { from, to: keepSince })
  if (left.length === 0) return false
  const snapshot = await ctx.git.open(repoId)
  const tips = await presentOf(snapshot, left)
  if (tips.length === 0) return false
  const { lasting, passing } = await rootsOf(ctx.git, snapshot, keepSince)
  const roots = [...lasting, ...passing]
  return withSkeleton(ctx.git, snapshot, (dir) => leadFurther(ctx.git, dir, { tips, roots, signal }))
}

async function lastPruned({ deps: { db } }: Git, repoId: string): Promise<Date | undefined> {
  const { git_packs: p } = db.t
  const [row] = await db.q
    .select({ at: p.created_at })
    .from(p)
    .where(and(eq(p.repo_id, repoId), eq(p.source, 'gc'), ne(p.state, 'pending')))
    .orderBy(desc(p.created_at))
    .limit(1)
  return row?.at
}

async function countCommits({ db }: Ctx, repoId: string, since: Date): Promise<number> {
  const { git_ref_log: log } = db.t
  return db.q.$count(log, and(eq(log.repo_id, repoId), gte(log.at, since), inArray(log.via, ['api', 'web'])))
}

/** What refs led to before they moved, except by a single commit on top of it. */
async function leftCommits(
  { db: { q, t } }: Ctx,
  repoId: string,
  { from, to }: { from: Date; to: Date },
): Promise<(Buffer | null)[]> {
  const { git_ref_log: log, git_commits: c } = t
  const onTop = q
    .select({ one: sql`1` })
    .from(c)
    .where(and(eq(c.repo_id, log.repo_id), eq(c.oid, log.new_oid), eq(c.parents, log.old_oid)))
  const rows = await q
    .select({ oid: log.old_oid })
    .from(log)
    .where(
      and(
        eq(log.repo_id, repoId),
        gte(log.at, from),
        lt(log.at, to),
        isNotNull(log.old_oid),
        notExists(onTop),
      ),
    )
    .orderBy(desc(log.at))
    .limit(MAX_MOVES)
  return rows.map(({ oid }) => oid)
}
