import { eq } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import type { PathEntry, Ref, Snapshot } from '../../../core/git/index.ts'
import { SCANNER_VERSION } from '../../../core/scanning/index.ts'
import type { Reader } from '../content.ts'
import { dropGoneRefs, recordRef, type RefRow } from './record-ref.ts'
import { RepoScan, type ScanJob } from './repo-scan.ts'
import type { Tally } from './tally.ts'

/** Earlier commits of a ref whose files are looked at, too: revisions that people pin. */
const MAX_HISTORY = 1000
/** Trees and files that are told apart on the way. */
const MAX_SEEN = 200_000

/** What a run over a Repo did. */
export interface ScanReport extends Record<string, number> {
  refs: number
  files: number
  scanned: number
}

/** The row of each ref that was looked at before. */
async function findRefScans(
  { q, t: { scan_refs: s } }: Reader,
  repoId: string,
): Promise<Map<string, RefRow>> {
  const rows = await q.select().from(s).where(eq(s.repo_id, repoId))
  return new Map(rows.map((row) => [row.ref, row]))
}

/**
 * Looks at all files of every ref that has moved since it was looked at, the default branch first, and at those of the
 * commits before it. May be repeated: it goes on where it ended.
 */
export async function scanRefs(ctx: Ctx, repoId: string, job: ScanJob): Promise<ScanReport> {
  const snapshot = await ctx.git.openFresh(repoId, ctx)
  const rows = await findRefScans(ctx.db, repoId)
  const isDone = ({ name, commit }: Ref) => {
    const row = rows.get(name)
    return row?.commit === commit && row.version >= SCANNER_VERSION && row.missing === 0
  }
  const main = `refs/heads/${snapshot.defaultBranch}`
  const refs = snapshot.listRefs().toSorted((a, b) => Number(b.name === main) - Number(a.name === main))
  const due = refs.filter((ref) => !isDone(ref))
  const scan = new RepoScan(ctx, snapshot, job)
  const known = new Set(
    [...rows.values()].filter(({ version }) => version >= SCANNER_VERSION).map(({ commit }) => commit),
  )
  const tallies = new Map<string, Tally>()
  for (const ref of due) {
    const tally = tallies.get(ref.commit) ?? (await scan.add(filesAt(snapshot, ref.commit)))
    tallies.set(ref.commit, tally)
    await job.write((tx) => recordRef(tx, ctx, { snapshot, ref, tally }))
  }
  await scan.add(earlierFiles(snapshot, [...tallies.keys()], known))
  await job.write((tx) => dropGoneRefs(tx, repoId))
  return { refs: due.length, files: scan.files, scanned: scan.scanned }
}

async function* filesAt(snapshot: Snapshot, commit: string): AsyncGenerator<PathEntry> {
  const root = await snapshot.entryAt(commit, '')
  if (root) yield* snapshot.walk(root.oid)
}

/** Files of the commits behind `tips` up to those in `known`, without what the tips have. */
async function* earlierFiles(
  snapshot: Snapshot,
  tips: readonly string[],
  known: ReadonlySet<string>,
): AsyncGenerator<PathEntry> {
  const seen = new Set<string>()
  const waiting = [...tips]
  for (let count = 0; count < MAX_HISTORY + tips.length && seen.size < MAX_SEEN; count++) {
    const sha = waiting.shift()
    if (sha === undefined) return
    const commit = seen.has(sha) ? undefined : await snapshot.findCommit(sha)
    if (!commit) continue
    seen.add(sha)
    const isTip = count < tips.length
    for await (const file of snapshot.distinctFiles(commit.tree, seen)) if (!isTip) yield file
    waiting.push(...commit.parents.filter((parent) => !known.has(parent)))
  }
}
