import { and, eq, inArray, sql } from 'drizzle-orm'
import type { ScanStatus } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { inBatches } from '../../../stores/db/index.ts'
import type { Reader } from '../content.ts'
import type { Issue } from '../job/tally.ts'
import { shownStatus, worstOf, type Counts } from '../verdict.ts'

/** How the files at the head of a default branch were found. */
export interface HeadScan extends Counts {
  /** The commit that was looked at, 40-hex. */
  commit: string
  /** Full name of the default branch. */
  ref: string
}

/** A file that is not safe, as it is shown. */
export interface ShownIssue {
  path: string
  status: Exclude<ScanStatus, 'pending' | 'safe'>
}

/** The last scan of each repo's default branch, by the repo's id. */
export async function headScans(
  { q, t }: Reader,
  repoIds: readonly string[],
): Promise<Map<string, HeadScan>> {
  const { scan_refs: s, repos } = t
  const rows = await inBatches(repoIds, (some) =>
    q
      .select({
        id: s.repo_id,
        ref: s.ref,
        commit: s.commit,
        unsafe: s.unsafe,
        suspicious: s.suspicious,
        failed: s.failed,
        missing: s.missing,
      })
      .from(s)
      .innerJoin(
        repos,
        and(eq(repos.id, s.repo_id), eq(s.ref, sql`'refs/heads/' || ${repos.default_branch}`)),
      )
      .where(inArray(s.repo_id, some)),
  )
  return new Map(rows.map(({ id, ...scan }) => [id, scan]))
}

/** How a repo is shown whose head is `headCommit`: `pending` until that commit was looked at. */
export function repoStatus(
  ctx: Pick<Ctx, 'config'>,
  headCommit: string | null,
  scan: HeadScan | undefined,
): ScanStatus {
  if (headCommit === null) return 'safe'
  return scan?.commit === headCommit ? worstOf(ctx, scan) : 'pending'
}

/** Files that are not safe at the heads of default branches that were looked at, by repo: the worst first, at most 1000 each. */
export async function headIssues(
  ctx: Pick<Ctx, 'db' | 'config'>,
  repoIds: readonly string[],
): Promise<Map<string, ShownIssue[]>> {
  const { scan_issues: i, repos } = ctx.db.t
  const rows = await inBatches(repoIds, (some) =>
    ctx.db.q
      .select({ id: i.repo_id, path: i.path, content: i.content, status: i.status })
      .from(i)
      .innerJoin(
        repos,
        and(eq(repos.id, i.repo_id), eq(i.ref, sql`'refs/heads/' || ${repos.default_branch}`)),
      )
      .where(inArray(i.repo_id, some)),
  )
  const found = new Map(repoIds.map((id): [string, Issue[]] => [id, []]))
  for (const { id, ...issue } of rows) found.get(id)?.push(issue)
  return new Map([...found].map(([id, issues]) => [id, shownIssues(ctx, issues)]))
}

const order = { unsafe: 0, suspicious: 1, failed: 2 }

/** Issues as they are shown, the worst first. */
export const shownIssues = (ctx: Pick<Ctx, 'config'>, issues: readonly Issue[]): ShownIssue[] =>
  issues
    .map(({ path, status }) => ({ path, status: shownStatus(ctx, status) }))
    .toSorted((a, b) => order[a.status] - order[b.status] || (a.path < b.path ? -1 : 1))
