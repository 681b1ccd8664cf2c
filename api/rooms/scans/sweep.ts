import { and, eq, gt, inArray, lt, notExists, sql } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { SWEEP_ROWS, sweepRows, type Sweep, type SweepRun } from '../../core/sweep.ts'
import { inBatches, type Tx } from '../../stores/db/index.ts'
import type { Reader } from './content.ts'

/** A verdict in use is touched in the transaction that begins to use it, so it is not taken away in that moment. */
const UNTOUCHED_MS = 3_600_000
/** Characters of a SHA-256 in hex, and of a git oid. */
const SHA256 = 64

/** Part of `gc`: forgets verdicts on contents that no repo holds any more. */
export const unusedScans: Sweep = {
  name: 'scans',
  async run(ctx, run) {
    if (!run.dryRun) {
      await dropLargeFiles(ctx, run)
      await dropPruned(ctx, run)
    }
    const { scan_results: r } = ctx.db.t
    const isUnused = (reader: Reader) =>
      and(
        lt(r.touched_at, new Date(ctx.now().getTime() - UNTOUCHED_MS)),
        notExists(
          reader.q
            .select({ one: sql`1` })
            .from(reader.t.scan_uses)
            .where(eq(reader.t.scan_uses.content, r.content)),
        ),
      )
    return {
      forgotten: await sweepRows(
        run,
        () => ctx.db.q.$count(r, isUnused(ctx.db)),
        async (tx) => {
          const some = tx.q.select({ content: r.content }).from(r).where(isUnused(tx)).limit(SWEEP_ROWS)
          return tx.q
            .delete(r)
            .where(and(inArray(r.content, some), isUnused(tx)))
            .returning({ content: r.content })
        },
      ),
    }
  },
}

/** Large files that are linked in the repo no longer. */
async function dropLargeFiles({ db }: Ctx, run: SweepRun): Promise<void> {
  const isLost = ({ q, t: { lfs_links: l, scan_uses: u } }: Reader) =>
    and(
      eq(sql`length(${u.content})`, SHA256),
      notExists(
        q
          .select({ one: sql`1` })
          .from(l)
          .where(and(eq(l.repo_id, u.repo_id), eq(l.sha256, u.content))),
      ),
    )
  const { scan_uses: u } = db.t
  for (;;) {
    run.signal.throwIfAborted()
    const lost = await db.q.select().from(u).where(isLost(db)).limit(SWEEP_ROWS)
    for (const repoId of new Set(lost.map(({ repo_id }) => repo_id))) {
      const contents = lost.flatMap(({ repo_id, content }) => (repo_id === repoId ? [content] : []))
      await run.write((tx) =>
        tx.q.delete(u).where(and(eq(u.repo_id, repoId), inArray(u.content, contents), isLost(tx))),
      )
    }
    if (lost.length < SWEEP_ROWS) return
  }
}

/** Blobs that have gone from repos that were pruned since they were looked at. */
async function dropPruned(ctx: Ctx, run: SweepRun): Promise<void> {
  const { git_repos: g, scan_refs: s } = ctx.db.t
  const pruned = await ctx.db.q
    .selectDistinct({ id: g.repo_id })
    .from(g)
    .innerJoin(s, eq(s.repo_id, g.repo_id))
    .where(gt(g.prune_seq, s.prune_seq))
  for (const { id } of pruned) {
    const snapshot = await ctx.git.openFresh(id, run)
    for await (const contents of blobsUsed(ctx.db, id)) {
      const facts = await snapshot.describe(contents)
      const gone = contents.filter((_, i) => !facts[i])
      if (gone.length > 0) await run.write((tx) => dropUses(tx, id, gone))
    }
    await run.write(({ q }) => q.update(s).set({ prune_seq: snapshot.pruneSeq }).where(eq(s.repo_id, id)))
  }
}

async function* blobsUsed({ q, t: { scan_uses: u } }: Reader, repoId: string): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const rows = await q
      .select({ content: u.content })
      .from(u)
      .where(and(eq(u.repo_id, repoId), lt(sql`length(${u.content})`, SHA256), gt(u.content, after)))
      .orderBy(u.content)
      .limit(SWEEP_ROWS)
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(({ content }) => content)
    after = last.content
  }
}

async function dropUses({ q, t: { scan_uses: u } }: Tx, repoId: string, contents: string[]): Promise<void> {
  await inBatches(contents, async (some) => {
    await q.delete(u).where(and(eq(u.repo_id, repoId), inArray(u.content, some)))
    return []
  })
}
