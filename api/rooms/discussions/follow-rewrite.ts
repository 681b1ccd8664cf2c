import { and, asc, eq, gt, isNotNull, or } from 'drizzle-orm'
import type { Tx } from '../../stores/db/index.ts'
import type { RefListener } from '../../core/git/index.ts'
import { Turns } from '../../platform/flow/index.ts'

type Renew = (oid: Buffer | null) => Buffer | null

const PAGE = 500

/**
 * Has pull requests and their threads name the commits that stand in place of those they knew, so that what they were
 * opened on, compared by and merged as can be shown, and nothing keeps the old ones.
 */
export const followRewrite: RefListener = async (_, { snapshot: { repoId }, rewritten }) => {
  if (!rewritten) return undefined
  const renew: Renew = (oid) => {
    const now = oid && rewritten.get(oid.toString('hex'))
    return now ? Buffer.from(now, 'hex') : oid
  }
  return {
    async after(tx) {
      // On SQLite statements are synchronous, so a long list of them would block every other request.
      const turns = new Turns()
      await renewPulls(tx, repoId, renew, turns)
      await renewThreads(tx, repoId, renew, turns)
    },
  }
}

async function renewPulls({ q, t: { discussions: d } }: Tx, repoId: string, renew: Renew, turns: Turns) {
  const hasCommits = or(isNotNull(d.base_oid), isNotNull(d.merged_at))
  for (let after = 0; ;) {
    const page = await q
      .select()
      .from(d)
      .where(and(eq(d.repo_id, repoId), gt(d.num, after), hasCommits))
      .orderBy(asc(d.num))
      .limit(PAGE)
    for (const row of page) {
      await turns.breathe()
      const set = {
        base_oid: renew(row.base_oid),
        merge_oid: renew(row.merge_oid),
        merged_base_oid: renew(row.merged_base_oid),
        merged_head_oid: renew(row.merged_head_oid),
      }
      const isSame = Object.entries(set).every(([key, oid]) => oid === row[key as keyof typeof set])
      if (!isSame) await q.update(d).set(set).where(eq(d.id, row.id))
    }
    const last = page.at(-1)
    if (!last) return
    after = last.num
  }
}

async function renewThreads({ q, t }: Tx, repoId: string, renew: Renew, turns: Turns) {
  const { discussions: d, discussion_events: e } = t
  for (let after = ''; ;) {
    const page = await q
      .select({ id: e.id, oid: e.commit_oid })
      .from(e)
      .innerJoin(d, eq(d.id, e.discussion_id))
      .where(and(eq(d.repo_id, repoId), gt(e.id, after), isNotNull(e.commit_oid)))
      .orderBy(asc(e.id))
      .limit(PAGE)
    for (const { id, oid } of page) {
      await turns.breathe()
      const now = renew(oid)
      if (now !== oid) await q.update(e).set({ commit_oid: now }).where(eq(e.id, id))
    }
    const last = page.at(-1)
    if (!last) return
    after = last.id
  }
}
