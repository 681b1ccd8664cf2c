import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import type { PathEntry } from '../../../core/git/index.ts'
import { Turns } from '../../../platform/flow/index.ts'
import type { Revision } from '../../content/index.ts'
import { sizeOf } from '../content.ts'
import { Tally } from '../job/tally.ts'
import { fileVerdicts } from './statuses.ts'
import { worstOf, type Counts } from '../verdict.ts'
import { shownIssues, type ShownIssue } from './repo-status.ts'
import type { ScanStatus } from '../../../../shared/vocabulary.ts'

/** Files of a commit that no ref leads to whose verdicts are put together for one answer. */
const MAX_FILES = 10_000
const BATCH = 100

/** How the files at a commit were found. */
export interface RevisionScan {
  commit: string
  status: ScanStatus
  /** Whether every file has a verdict. */
  isDone: boolean
  counts: Counts
  /** The worst first, at most 1000. */
  issues: ShownIssue[]
}

/** What is said of a commit before it was looked at. */
const unknown: Counts = { unsafe: 0, suspicious: 0, failed: 0, missing: 1 }

/**
 * How the files at a commit were found, as was recorded where a ref leads to it; until then they are pending. Of other commits the
 * verdicts on their files are put together, on the first 10 000.
 */
export async function revisionScan(ctx: Ctx, { snapshot, commit }: Revision): Promise<RevisionScan> {
  const { scan_refs: s, scan_issues: i } = ctx.db.t
  const { repoId } = snapshot
  const [row] = await ctx.db.q
    .select()
    .from(s)
    .where(and(eq(s.repo_id, repoId), eq(s.commit, commit)))
    .limit(1)
  if (row) {
    const issues = await ctx.db.q
      .select()
      .from(i)
      .where(and(eq(i.repo_id, repoId), eq(i.ref, row.ref)))
    return summed(ctx, commit, row, shownIssues(ctx, issues))
  }
  if (snapshot.listRefs().some((ref) => ref.commit === commit)) return summed(ctx, commit, unknown, [])
  const tally = await tallied(ctx, { snapshot, commit })
  return summed(ctx, commit, tally.counts, shownIssues(ctx, tally.issues()))
}

function summed(ctx: Ctx, commit: string, found: Counts, issues: ShownIssue[]): RevisionScan {
  const { unsafe, suspicious, failed, missing } = found
  const counts = ctx.config.scan.strict
    ? { unsafe: unsafe + suspicious, suspicious: 0, failed, missing }
    : { unsafe, suspicious, failed, missing }
  return { commit, status: worstOf(ctx, counts), isDone: missing === 0, counts, issues }
}

async function tallied(ctx: Ctx, { snapshot, commit }: Revision): Promise<Tally> {
  const tally = new Tally()
  const turns = new Turns(ctx)
  const root = await snapshot.entryAt(commit, '')
  let left = MAX_FILES
  let batch: PathEntry[] = []
  const take = async () => {
    const facts = await snapshot.describe(batch.map(({ oid }) => oid))
    const files = batch.map((entry, i) => ({ ...entry, ...sizeOf(facts[i]) }))
    for (const [path, verdict] of await fileVerdicts(ctx, files)) {
      if (verdict.row) tally.add(path, verdict.row.content, verdict.row.status)
      else if (verdict.status === 'pending') tally.add(path, '', undefined)
    }
    batch = []
    await turns.breathe()
  }
  for await (const entry of root ? snapshot.walk(root.oid) : []) {
    if (entry.kind !== 'file') continue
    if (left-- === 0) {
      tally.add(entry.path, '', undefined)
      break
    }
    batch.push(entry)
    if (batch.length === BATCH) await take()
  }
  await take()
  return tally
}
