import { eq } from 'drizzle-orm'
import type { Actor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { memo, type Db } from '../../../stores/db/index.ts'
import type { RepoAddress } from '../../repos/index.ts'
import { findUpstream, tokenFor, type Caller } from '../../upstreams/index.ts'
import type { MirrorRow } from '../queries.ts'
import type { UpstreamRepo } from '../reading/describe.ts'
import { isAllowed, mayTrigger } from './rules.ts'

/** A mirror that more may be brought into by reading it. */
export interface ReadMirror {
  mirror: MirrorRow
  address: RepoAddress
  /** The repo there. */
  repo: UpstreamRepo
  caller: Caller
}

const MAX_KNOWN = 10_000

const mirrorsOf = (db: Db) =>
  memo(db, MAX_KNOWN, async (repoId: string) => {
    const { mirrors: m, repos: r, namespaces: n } = db.t
    const [found] = await db.q
      .select({ mirror: m, type: r.type, ns: n.name, name: r.name })
      .from(m)
      .innerJoin(r, eq(r.id, m.repo_id))
      .innerJoin(n, eq(n.id, r.namespace_id))
      .where(eq(m.repo_id, repoId))
    return { found }
  })

/**
 * The mirror that a repo is, with the token it is read with; `undefined` where nothing may be brought into it for this
 * caller. What is read with a person's token is brought for them alone.
 */
export async function mirrorFor(ctx: Ctx, actor: Actor, repoId: string): Promise<ReadMirror | undefined> {
  const { found } = await ctx.db.keep(mirrorsOf)(repoId)
  if (!found || found.mirror.state === 'detached') return undefined
  const { mirror, ...address } = found
  if (!mayTrigger(ctx, actor, address) || !isAllowed(ctx, mirror.upstream_repo)) return undefined
  if (mirror.read_by !== null && !(actor.kind === 'user' && actor.id === mirror.read_by)) return undefined
  const upstream = await findUpstream(ctx, mirror.upstream)
  if (!upstream?.enabled) return undefined
  const { token } = await tokenFor(ctx, upstream, mirror.read_by)
  const repo = { type: address.type, name: mirror.upstream_repo }
  return { mirror, address, repo, caller: { upstream, token, signal: ctx.stopping } }
}
