import { and, eq, gt, gte, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { system } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { RefListener } from '../../../core/git/index.ts'
import { defineJob, enqueue, type JobTicket } from '../../../core/jobs/index.ts'
import { SCANNER_VERSION } from '../../../core/scanning/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { dropGoneRefs } from './record-ref.ts'
import { scanRefs, type ScanOptions, type ScanReport } from './scan-refs.ts'
import type { ScanJob } from './repo-scan.ts'

const Input = z.strictObject({ repo_id: z.string() })

/** What it takes to queue a scan of a repo. */
export const repoScanTicket: JobTicket<z.output<typeof Input>> = {
  kind: 'repo.scan',
  maxAttempts: 5,
  unit: 'files',
  title: () => 'Look for unsafe files',
}

/** Looks at the files of a repo that have no verdict yet. One is queued for each repo at a time. */
export const repoScan = defineJob({
  ...repoScanTicket,
  input: Input,
  // Files are looked at one after another: the rest of the queue moves on.
  share: 0.5,
  // A ref that moves during a run has a run of its own.
  admitsEqual: true,
  run: (ctx, { repo_id }, job) => scanUnlessGone(ctx, repo_id, job),
})

/** `scanRefs`, of a repo that may be gone by now. */
export async function scanUnlessGone(
  ctx: Ctx,
  repoId: string,
  job: ScanJob,
  options?: ScanOptions,
): Promise<ScanReport | undefined> {
  try {
    return await scanRefs(ctx, repoId, job, options)
  } catch (error) {
    if (error instanceof Problem && error.code === 'repo-not-found') return undefined
    throw error
  }
}

/** Has a repo looked at whenever its refs move, and forgets how refs were found that go. */
export const followScans: RefListener = async ({ db, now }, { snapshot: { repoId }, moves }) => {
  const hasMoved = moves.some(({ from, to }) => to !== undefined && to !== from)
  const hasGone = moves.some(({ to }) => to === undefined)
  if (!hasMoved && !hasGone) return undefined
  return {
    after: async (tx) => {
      if (hasGone) await dropGoneRefs(tx, repoId)
      if (hasMoved) await queueScan(tx, { db, now }, repoId)
    },
  }
}

/** Queues the job, once for a repo: its refs have moved, or bytes have come that were missing. */
export async function queueScan(tx: Tx, deps: Pick<Ctx, 'db' | 'now'>, repoId: string): Promise<void> {
  const options = { repoId, dedupKey: repoId, createdBy: null }
  await enqueue(tx, { ...deps, actor: system }, repoScanTicket, { repo_id: repoId }, options)
}

/** When repos are looked for that an earlier scanner saw last, or none. */
export const REFRESH_SCHEDULE = '41 * * * *'

/** Repos whose refs are looked up together. */
const PAGE = 100

/**
 * Looks at all repos again whose verdicts are of an earlier scanner, one after another, and at those whose own job failed.
 * A run that is cut short resumes where it ended.
 */
export const scanRefresh = defineJob({
  kind: 'scan.refresh',
  input: z.strictObject({}),
  maxAttempts: 5,
  title: () => 'Look again at what an earlier scanner saw',
  async run(ctx, _input, job) {
    let repos = 0
    const quiet: ScanJob = { write: (change) => job.write(change), progress: async () => job.progress(repos) }
    for (let ids = await staleRepos(ctx, ''); ids.length > 0; ids = await staleRepos(ctx, ids.at(-1) ?? '')) {
      for (const id of ids) {
        await scanUnlessGone(ctx, id, quiet).catch((error: unknown) => {
          if (job.signal.aborted) throw error
          ctx.log.warn({ err: error, repo: id }, 'a repo could not be looked at')
        })
        await job.progress(++repos)
      }
    }
    return { repos }
  },
})

/** Repos behind `after` with a ref that this scanner has not seen. */
async function staleRepos({ db }: Ctx, after: string): Promise<string[]> {
  const { git_refs: g, scan_refs: s, repos } = db.t
  const seen = and(eq(s.repo_id, g.repo_id), eq(s.ref, g.name), gte(s.version, SCANNER_VERSION))
  const rows = await db.q
    .selectDistinct({ id: g.repo_id })
    .from(g)
    .innerJoin(repos, eq(repos.id, g.repo_id))
    .leftJoin(s, seen)
    .where(and(isNull(s.repo_id), isNull(repos.purging_at), gt(g.repo_id, after)))
    .orderBy(sql`${g.repo_id}`)
    .limit(PAGE)
  return rows.map(({ id }) => id)
}
