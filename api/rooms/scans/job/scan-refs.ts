import { and, eq } from 'drizzle-orm'
import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../../../core/ctx.ts'
import type { Ref, Snapshot } from '../../../core/git/index.ts'
import { howMany } from '../../../core/jobs/index.ts'
import { SCANNER_VERSION } from '../../../core/scanning/index.ts'
import { isRejudging, readRules, type Rules } from '../rules/apply.ts'
import { holdRules } from '../rules/lock.ts'
import { dropGoneRefs, recordRef, type RefRow } from './record-ref.ts'
import { earlierFiles, filesAt, filesSince } from './ref-files.ts'
import { RepoScan, type ScanJob } from './repo-scan.ts'
import { MAX_ISSUES, type Issue, type Tally } from './tally.ts'

/** What a run over a repo did. */
export interface ScanReport extends Record<string, number> {
  refs: number
  files: number
  scanned: number
}

export interface ScanOptions {
  /** Every ref is due: what was found in files that were looked at is judged otherwise now. */
  isAgain?: boolean
}

/**
 * Looks at the files of every ref that has moved since it was looked at, the default branch first, and at those of the
 * commits before it. May be repeated: it resumes where it ended.
 */
export async function scanRefs(
  ctx: Ctx,
  repoId: string,
  job: ScanJob,
  { isAgain = false }: ScanOptions = {},
): Promise<ScanReport> {
  for (let isJudgedAgain = isAgain; ; isJudgedAgain = true) {
    // In this order: a rule that changes between the two has its job by then.
    const rules = await readRules(ctx.db)
    const under = { rules, isAgain: isJudgedAgain || (await isRejudging(ctx.db)) }
    const report = await scanUnder(ctx, repoId, job, under)
    if (report) return report
  }
}

/** Answers nothing when a rule has changed meanwhile: what was counted by the earlier ones is not recorded. */
async function scanUnder(
  ctx: Ctx,
  repoId: string,
  job: ScanJob,
  { rules, isAgain }: { rules: Rules; isAgain: boolean },
): Promise<ScanReport | undefined> {
  const snapshot = await ctx.git.openFresh(repoId, ctx)
  const { scan_refs: s } = ctx.db.t
  const all = await ctx.db.q.select().from(s).where(eq(s.repo_id, repoId))
  const rows = new Map(all.filter(({ version }) => version >= SCANNER_VERSION).map((row) => [row.ref, row]))
  const scan = new RepoScan(ctx, snapshot, job, { rules, isAgain })
  const tallies = new Map<string, Tally>()
  const due = dueRefs(snapshot, isAgain ? new Map() : rows)
  job.log?.(`${howMany(due.length, 'ref')} to look at.`)
  for (const ref of due) {
    const tally =
      tallies.get(ref.commit) ??
      (isAgain ? await scan.add(filesAt(snapshot, ref.commit)) : await tallyOf(ctx, scan, snapshot, ref))
    tallies.set(ref.commit, tally)
    const isRecorded = await job.write(async (tx) => {
      if (!isDeepStrictEqual(await holdRules(tx, ctx.db), rules)) return false
      await recordRef(tx, ctx, { snapshot, ref, tally })
      return true
    })
    if (!isRecorded) {
      job.log?.('A rule for imports has changed meanwhile: all is judged again.')
      return undefined
    }
    job.log?.(`${ref.name} at ${ref.commit}: ${found(tally)}.`)
  }
  const known = new Set([...rows.values()].map(({ commit }) => commit))
  await scan.add(earlierFiles(snapshot, [...tallies.keys()], known))
  await job.write((tx) => dropGoneRefs(tx, repoId))
  const contents = howMany(scan.scanned, 'content')
  job.log?.(`Looked up ${howMany(scan.files, 'file')}, and read ${contents} that had no verdict.`)
  return { refs: due.length, files: scan.files, scanned: scan.scanned }
}

const found = ({ counts }: Tally): string =>
  Object.entries(counts)
    .flatMap(([status, count]) => (count > 0 ? [`${count} ${status}`] : []))
    .join(', ') || 'all files are safe'

function dueRefs(snapshot: Snapshot, rows: ReadonlyMap<string, RefRow>): Ref[] {
  const main = `refs/heads/${snapshot.defaultBranch}`
  const isDone = ({ name, commit }: Ref) => {
    const row = rows.get(name)
    return row?.commit === commit && row.missing === 0
  }
  const due = snapshot.listRefs().filter((ref) => !isDone(ref))
  return due.toSorted((a, b) => Number(b.name === main) - Number(a.name === main))
}

/** Of a ref that was looked at only what has changed since; of all others every file. */
async function tallyOf(ctx: Ctx, scan: RepoScan, snapshot: Snapshot, ref: Ref): Promise<Tally> {
  const before = await foundBefore(ctx, snapshot.repoId, ref.name)
  if (!before || !(await snapshot.findCommit(before.commit))) return scan.add(filesAt(snapshot, ref.commit))
  const left = new Map(before.issues.map((issue) => [issue.path, issue]))
  const since = filesSince(snapshot, { from: before.commit, to: ref.commit }, (path) => left.delete(path))
  const tally = await scan.add(since)
  for (const { path, content, status } of left.values()) tally.add(path, content, status)
  return tally
}

/** The commit of a ref that was looked at last, and all its files that were not safe; nothing unless all are known. */
async function foundBefore(
  { db }: Ctx,
  repoId: string,
  ref: string,
): Promise<{ commit: string; issues: Issue[] } | undefined> {
  return db.snapshot(async ({ q, t: { scan_refs: s, scan_issues: i } }) => {
    const [row] = await q
      .select()
      .from(s)
      .where(and(eq(s.repo_id, repoId), eq(s.ref, ref), eq(s.version, SCANNER_VERSION), eq(s.missing, 0)))
    if (!row || row.unsafe + row.suspicious + row.failed >= MAX_ISSUES) return undefined
    const issues = await q
      .select()
      .from(i)
      .where(and(eq(i.repo_id, repoId), eq(i.ref, ref)))
    return { commit: row.commit, issues }
  })
}
