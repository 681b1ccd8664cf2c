import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { DiscoverState, RepoType } from '../../../shared/vocabulary.ts'
import { policyOf, visibleRepos } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'

/** How a repo of an upstream stands here. */
export interface ArsenalState {
  state: DiscoverState
  /** Where it is here. */
  repo?: { id: string; type: RepoType; ns: string; name: string }
}

const keyOf = (type: RepoType, name: string) => `${type} ${name.toLowerCase()}`

/** How repos of an upstream, by `ns/name`, stand here as far as the caller may see; one query for all. */
export async function statesOf(
  ctx: Ctx,
  upstream: string,
  wanted: readonly { type: RepoType; name: string }[],
): Promise<(type: RepoType, name: string) => ArsenalState> {
  const keys = [...new Set(wanted.map(({ name }) => name.toLowerCase()))]
  const rows = keys.length > 0 ? await rowsOf(ctx, upstream, keys) : []
  const states = new Map<string, ArsenalState>()
  for (const { id, type, ns, name, key, mirrorState, lacking, pulling } of rows) {
    const isMirror = key !== null && mirrorState !== null
    const at = keyOf(type, isMirror ? key : `${ns}/${name}`)
    // A mirror says more than a repo that only has the name.
    if (states.has(at) && !isMirror) continue
    const isBusy = pulling > 0 || mirrorState === 'queued' || mirrorState === 'syncing'
    const state = !isMirror ? 'local_namesake' : isBusy ? 'pulling' : lacking > 0 ? 'partial' : 'mirrored'
    states.set(at, { state, repo: { id, type, ns, name } })
  }
  return (type, name) => states.get(keyOf(type, name)) ?? { state: 'absent' }
}

async function rowsOf(ctx: Ctx, upstream: string, keys: string[]) {
  const { q, t } = ctx.db
  const { repos: r, namespaces: n, mirrors: m, lfs_absent: a } = t
  const now = ctx.now()
  const counted = (where: ReturnType<typeof sql>) =>
    sql<number>`(select count(*) from ${a} where ${a.repo_id} = ${r.id} and ${where})`.mapWith(Number)
  const isMirror = and(eq(m.upstream, upstream), ne(m.state, 'detached'), inArray(m.upstream_key, keys))
  const isNamesake = and(inArray(r.full_key, keys), or(isNull(m.repo_id), ne(m.upstream, upstream)))
  return q
    .select({
      id: r.id,
      type: r.type,
      ns: n.name,
      name: r.name,
      key: m.upstream_key,
      mirrorState: sql<string | null>`case when ${m.upstream} = ${upstream} then ${m.state} end`,
      lacking: counted(sql`1 = 1`),
      pulling: counted(sql`${a.pulling_until} > ${sql.param(now, a.pulling_until)}`),
    })
    .from(r)
    .innerJoin(n, eq(n.id, r.namespace_id))
    .leftJoin(m, eq(m.repo_id, r.id))
    .where(
      and(
        isNull(r.deleted_at),
        or(isMirror, isNamesake),
        visibleRepos(ctx.actor, ctx.db, policyOf(ctx.config)),
      ),
    )
    .limit(5000)
}
