import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import { inBatches, type Db, type Tx } from '../../../stores/db/index.ts'
import { keyOf, type Content, type Reader } from '../content.ts'
import { underRules } from '../rules/apply.ts'
import { holdRules } from '../rules/lock.ts'
import type { Verdict } from './judge.ts'

/** Those of some contents that the repo is not known to hold. */
export async function unusedIn<C extends Content>(
  { q, t: { scan_uses: u } }: Reader,
  repoId: string,
  contents: readonly C[],
): Promise<C[]> {
  const rows = await inBatches(
    contents.map(({ content }) => content),
    (some) =>
      q
        .select({ content: u.content })
        .from(u)
        .where(and(eq(u.repo_id, repoId), inArray(u.content, some))),
  )
  const used = new Set(rows.map(({ content }) => content))
  return contents.filter(({ content }) => !used.has(content))
}

/** What the row that was to be inserted says. */
const theNew = {
  version: sql`excluded.version`,
  status: sql`excluded.status`,
  checked: sql`excluded.checked`,
  imports: sql`excluded.imports`,
  problems: sql`excluded.problems`,
}

/**
 * Keeps new verdicts, and notes that the repo holds their contents and those of `known`. A verdict of a later scanner
 * stays. Touching the known ones keeps `gc` from them; the keys of those that it has taken already are answered.
 */
export async function keepVerdicts(
  tx: Tx,
  { db, now }: { db: Pick<Db, 'engine'>; now: () => Date },
  repoId: string,
  { kept, known }: { kept: readonly Verdict[]; known: readonly Content[] },
): Promise<string[]> {
  const { q, t } = tx
  const { scan_results: r, scan_uses: u } = t
  // A rule may have changed since they were made; the job that follows its change may have passed by now.
  const rules = kept.length > 0 ? await holdRules(tx, db) : new Map()
  if (kept.length > 0)
    await q
      .insert(r)
      .values(inOrder(kept).map((verdict) => ({ ...underRules(rules, verdict), touched_at: now() })))
      .onConflictDoUpdate({
        target: [r.content, r.reading],
        set: { ...theNew, touched_at: now() },
        setWhere: lte(r.version, theNew.version),
      })
  const contents = known.map(({ content }) => content)
  const touched = await inBatches(contents, (some) =>
    q
      .update(r)
      .set({ touched_at: now() })
      .where(inArray(r.content, some))
      .returning({ content: r.content, reading: r.reading }),
  )
  const there = new Set(touched.map(keyOf))
  const [held, gone] = [
    known.filter((one) => there.has(keyOf(one))),
    known.filter((one) => !there.has(keyOf(one))),
  ]
  await inBatches(
    [...kept, ...held].map(({ content }) => content),
    async (some) => {
      await q
        .insert(u)
        .values(some.map((content) => ({ repo_id: repoId, content })))
        .onConflictDoNothing()
      return []
    },
  )
  return gone.map(keyOf)
}

/** In one order, so that two transactions that keep the same contents wait for instead of deadlock each other. */
const inOrder = (kept: readonly Verdict[]): Verdict[] =>
  kept.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
