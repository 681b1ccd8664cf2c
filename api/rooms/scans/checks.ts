import { and, count, eq, isNull, sql } from 'drizzle-orm'
import type { Check, CheckOptions, Finding } from '../../core/check.ts'
import type { Deps } from '../../core/ctx.ts'
import { queueScan } from './job/jobs.ts'
import { dropGoneRefs } from './job/record-ref.ts'

/** Issues that are kept of one ref. */
const MAX_ISSUES = 1000

/**
 * How each ref was found agrees with the files that are listed for it, each of those has its verdict, and the ref is there.
 * Repair forgets what does not agree and has the repo scanned again.
 */
export const scanCheck: Check = {
  name: 'scans',
  async *run(deps, options) {
    yield* checkTallies(deps, options)
    yield* checkVerdicts(deps, options)
    yield* checkRefs(deps, options)
  },
}

const found = (check: string, repoId: string, message: string, isRepaired: boolean): Finding => ({
  check: `scans.${check}`,
  severity: 'error',
  repo_id: repoId,
  message,
  ...(isRepaired ? { repaired: true as const } : {}),
})

async function* checkTallies(deps: Deps, { repair, repoId }: CheckOptions): AsyncGenerator<Finding> {
  const { scan_refs: s, scan_issues: i } = deps.db.t
  const counted = sql<number>`${s.unsafe} + ${s.suspicious} + ${s.failed}`.mapWith(Number)
  const rows = await deps.db.q
    .select({ repoId: s.repo_id, ref: s.ref, counted, listed: count(i.path) })
    .from(s)
    .leftJoin(i, and(eq(i.repo_id, s.repo_id), eq(i.ref, s.ref)))
    .where(repoId === undefined ? undefined : eq(s.repo_id, repoId))
    .groupBy(s.repo_id, s.ref, s.unsafe, s.suspicious, s.failed)
    .having(
      sql`count(${i.path}) <> case when ${counted} > ${MAX_ISSUES} then ${MAX_ISSUES} else ${counted} end`,
    )
  for (const row of rows) {
    if (repair) await scanAgain(deps, row)
    const message = `${row.ref} counts ${row.counted} files that are not safe, ${row.listed} are listed`
    yield found('tally', row.repoId, message, repair)
  }
}

async function* checkVerdicts(deps: Deps, { repair, repoId }: CheckOptions): AsyncGenerator<Finding> {
  const { scan_results: r, scan_issues: i } = deps.db.t
  const ofRepo = repoId === undefined ? undefined : eq(i.repo_id, repoId)
  const rows = await deps.db.q
    .selectDistinct({ repoId: i.repo_id, ref: i.ref })
    .from(i)
    .leftJoin(r, eq(r.content, i.content))
    .where(and(isNull(r.content), ofRepo))
  for (const row of rows) {
    if (repair) await scanAgain(deps, row)
    yield found('verdict', row.repoId, `${row.ref} lists files whose verdicts are missing`, repair)
  }
}

async function* checkRefs(deps: Deps, { repair, repoId }: CheckOptions): AsyncGenerator<Finding> {
  const { scan_refs: s, git_refs: g } = deps.db.t
  const ofRepo = repoId === undefined ? undefined : eq(s.repo_id, repoId)
  const rows = await deps.db.q
    .select({ repoId: s.repo_id, ref: s.ref })
    .from(s)
    .leftJoin(g, and(eq(g.repo_id, s.repo_id), eq(g.name, s.ref)))
    .where(and(isNull(g.name), ofRepo))
  const repos = new Set<string>()
  for (const row of rows) {
    // Those of a branch that was just deleted go with the scan that is queued.
    if (await hasScan(deps, row.repoId)) continue
    if (repair && !repos.has(row.repoId)) await deps.db.write((tx) => dropGoneRefs(tx, row.repoId))
    repos.add(row.repoId)
    yield found('ref', row.repoId, `${row.ref} was scanned and is gone`, repair)
  }
}

async function hasScan({ db: { q, t } }: Deps, repoId: string): Promise<boolean> {
  const { jobs } = t
  const isUnderWay = sql`${jobs.status} in ('queued', 'running')`
  return (await q.$count(jobs, and(eq(jobs.repo_id, repoId), eq(jobs.kind, 'repo.scan'), isUnderWay))) > 0
}

async function scanAgain(deps: Deps, { repoId, ref }: { repoId: string; ref: string }): Promise<void> {
  await deps.db.write(async (tx) => {
    const { scan_refs: s } = tx.t
    await tx.q.delete(s).where(and(eq(s.repo_id, repoId), eq(s.ref, ref)))
    await queueScan(tx, deps, repoId)
  })
}
