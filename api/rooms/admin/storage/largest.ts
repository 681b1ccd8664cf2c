import { asc, eq, gt, sql } from 'drizzle-orm'
import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../stores/db/index.ts'
import { usedBytes } from '../../namespaces/index.ts'

/** What a repo or a namespace holds. */
export interface Held {
  id: string
  bytes: number
}

const PAGE = 500

/** The largest of all pages, at most `count`; what holds nothing is left out. */
async function largestOf(
  pageAfter: (after: string) => Promise<Held[]>,
  count: number,
  signal: AbortSignal,
): Promise<Held[]> {
  let largest: Held[] = []
  for (let after = ''; ;) {
    signal.throwIfAborted()
    // SQLite answers in this thread, so waiting requests go first.
    await setImmediate()
    const page = await pageAfter(after)
    largest = [...largest, ...page.filter(({ bytes }) => bytes > 0)]
      .toSorted((a, b) => b.bytes - a.bytes || a.id.localeCompare(b.id))
      .slice(0, count)
    const last = page.at(-1)
    if (!last || page.length < PAGE) return largest
    after = last.id
  }
}

/** Repos by their packs and their large files, those that can be restored among them. */
export function largestRepos({ q, t }: Db, count: number, signal: AbortSignal): Promise<Held[]> {
  const { repos: r, git_repos: g, lfs_links: l, lfs_objects: o } = t
  const linked = q
    .select({ bytes: sql`coalesce(sum(${o.size}), 0)` })
    .from(l)
    .innerJoin(o, eq(o.sha256, l.sha256))
    .where(eq(l.repo_id, r.id))
  return largestOf(
    (after) =>
      q
        .select({ id: r.id, bytes: sql<number>`coalesce(${g.pack_bytes}, 0) + (${linked})`.mapWith(Number) })
        .from(r)
        .leftJoin(g, eq(g.repo_id, r.id))
        .where(gt(r.id, after))
        .orderBy(asc(r.id))
        .limit(PAGE),
    count,
    signal,
  )
}

/** Namespaces by what counts for their quotas: each large file once. */
export function largestNamespaces(db: Db, count: number, signal: AbortSignal): Promise<Held[]> {
  const { namespaces: n } = db.t
  return largestOf(
    async (after) => {
      const rows = await db.q
        .select({ id: n.id })
        .from(n)
        .where(gt(n.id, after))
        .orderBy(asc(n.id))
        .limit(PAGE)
      const ids = rows.map(({ id }) => id)
      const used = await usedBytes(db, ids)
      return ids.map((id) => ({ id, bytes: used.get(id) ?? 0 }))
    },
    count,
    signal,
  )
}
