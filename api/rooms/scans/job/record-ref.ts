import { and, eq, inArray, notInArray } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { publish } from '../../../core/events/index.ts'
import type { Ref, Snapshot } from '../../../core/git/index.ts'
import { SCANNER_VERSION } from '../../../core/scanning/index.ts'
import type { Tables, Tx } from '../../../stores/db/index.ts'
import { shownStatus } from '../verdict.ts'
import type { Issue, Tally } from './tally.ts'

export type RefRow = Tables['scan_refs']['$inferSelect']

/** Rows of one statement: six values each. */
const ROWS = 500
/** Files that a delivery names. */
const MAX_TOLD = 50

/** How the files of a ref were found. */
interface Found {
  snapshot: Snapshot
  ref: Ref
  tally: Tally
}

/**
 * Records how the files of a ref were found, unless it has moved meanwhile: then the job that follows the move does. Files of
 * the default branch that are unsafe, and were not before, are published.
 */
export async function recordRef(tx: Tx, ctx: Ctx, { snapshot, ref, tally }: Found): Promise<void> {
  const { q, t } = tx
  const { scan_refs: s, scan_issues: i, git_refs: g } = t
  const { repoId } = snapshot
  const [now] = await q
    .select({ oid: g.oid })
    .from(g)
    .where(and(eq(g.repo_id, repoId), eq(g.name, ref.name)))
  if (now?.oid.toString('hex') !== ref.oid) return
  const at = { repo_id: repoId, ref: ref.name }
  const set = {
    commit: ref.commit,
    version: SCANNER_VERSION,
    prune_seq: snapshot.pruneSeq,
    ...tally.counts,
    scanned_at: ctx.now(),
  }
  await q
    .insert(s)
    .values({ ...at, ...set })
    .onConflictDoUpdate({ target: [s.repo_id, s.ref], set })
  const ofRef = and(eq(i.repo_id, repoId), eq(i.ref, ref.name))
  const before = await q.select().from(i).where(ofRef)
  const keyOf = ({ path, content }: { path: string; content: string }) => `${content} ${path}`
  const since = new Map(before.map((row) => [`${row.status} ${keyOf(row)}`, row.found_at]))
  const issues = tally.issues()
  await q.delete(i).where(ofRef)
  for (let from = 0; from < issues.length; from += ROWS)
    await q.insert(i).values(
      issues.slice(from, from + ROWS).map((issue) => ({
        ...at,
        ...issue,
        found_at: since.get(`${issue.status} ${keyOf(issue)}`) ?? ctx.now(),
      })),
    )
  if (ref.name !== `refs/heads/${snapshot.defaultBranch}`) return
  const isUnsafe = ({ status }: Pick<Issue, 'status'>) => shownStatus(ctx, status) === 'unsafe'
  const known = new Set(before.filter(isUnsafe).map(keyOf))
  const turned = issues.filter((issue) => isUnsafe(issue) && !known.has(keyOf(issue)))
  if (turned.length === 0) return
  const files = turned.slice(0, MAX_TOLD).map(({ path }) => ({ path, status: 'unsafe' as const }))
  const facts = () => ({ scan: { commit: ref.commit, status: 'unsafe' as const, files } })
  await publish(tx, ctx, { repoId, event: 'repo', action: 'update', facts })
}

/** Forgets how refs were found that are there no longer. */
export async function dropGoneRefs({ q, t }: Tx, repoId: string): Promise<void> {
  const { scan_refs: s, scan_issues: i, git_refs: g } = t
  const there = q.select({ name: g.name }).from(g).where(eq(g.repo_id, repoId))
  const gone = await q
    .delete(s)
    .where(and(eq(s.repo_id, repoId), notInArray(s.ref, there)))
    .returning({ ref: s.ref })
  for (let from = 0; from < gone.length; from += ROWS)
    await q.delete(i).where(
      and(
        eq(i.repo_id, repoId),
        inArray(
          i.ref,
          gone.slice(from, from + ROWS).map(({ ref }) => ref),
        ),
      ),
    )
}
