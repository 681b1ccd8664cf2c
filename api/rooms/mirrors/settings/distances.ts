import { setTimeout as pause } from 'node:timers/promises'
import { and, desc, eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../../core/ctx.ts'
import type { Snapshot } from '../../../core/git/index.ts'
import type { Db } from '../../../stores/db/index.ts'
import type { Repo } from '../../repos/index.ts'
import { findUpstream, tokenFor } from '../../upstreams/index.ts'
import type { MirrorRow } from '../queries.ts'
import { commitsBetween } from '../reading/commits-between.ts'

type Distance = Awaited<ReturnType<typeof commitsBetween>>
interface Pair {
  from: string
  to: string
}

/** What was once found holds for ever: commits do not change. What was not is asked for again after a while. */
const UNKNOWN_MS = 60_000
const MAX_KNOWN = 10_000
/** How long a reader waits for the upstream; the question goes on without them. */
const PATIENCE_MS = 1_000
/** Moves of the branch that are looked at. */
const MOST_MOVES = 10

const knownOf = (_: Db) => new LRUCache<string, Promise<Distance>>({ max: MAX_KNOWN })

/** How a mirror stands to its upstream, as far as that says so in time. */
export interface Distances {
  /** Commits that are there and not here. */
  behindBy?: number
  /** Former heads, by the upstream's ids, that its history no longer leads to. */
  rewritten: ReadonlySet<string>
}

/** Asks an upstream, once for each pair of commits, how far a mirror is behind and whether it has rewritten its history. */
export async function findDistances(
  ctx: Ctx,
  repo: Repo,
  row: MirrorRow,
  snapshot: Snapshot,
): Promise<Distances> {
  const { upstream_commit: to, local_commit: from } = row
  const behind = to !== null && from !== null && to !== from ? { from, to } : undefined
  const moves = await movesOf(ctx, row, snapshot)
  const tooSlow = new AbortController()
  const late = pause(PATIENCE_MS, undefined, { signal: tooSlow.signal }).catch(() => undefined)
  const ask = (pair: Pair) => Promise.race([distanceOf(ctx, repo, row, pair), late])
  try {
    const [behindBy, ...found] = await Promise.all([
      behind ? ask(behind) : Promise.resolve(undefined),
      ...moves.map(ask),
    ])
    const rewritten = new Set(moves.filter((_, i) => found[i] === 'rewritten').map((move) => move.from))
    return { rewritten, ...(typeof behindBy === 'number' ? { behindBy } : {}) }
  } finally {
    tooSlow.abort()
  }
}

/** What the branch that is followed has moved from and to, by the upstream's ids, the last move first. */
async function movesOf({ db }: Ctx, { repo_id, revision }: MirrorRow, snapshot: Snapshot): Promise<Pair[]> {
  const { git_ref_log: l } = db.t
  const rows = await db.q
    .select({ from: l.old_oid, to: l.new_oid })
    .from(l)
    .where(and(eq(l.repo_id, repo_id), eq(l.name, `refs/heads/${revision}`), eq(l.via, 'mirror')))
    .orderBy(desc(l.at))
    .limit(MOST_MOVES)
  const idOf = (oid: Uint8Array) => {
    const own = Buffer.from(oid).toString('hex')
    return snapshot.upstreamCommit(own) ?? own
  }
  return rows.flatMap(({ from, to }) => (from && to ? [{ from: idOf(from), to: idOf(to) }] : []))
}

function distanceOf(ctx: Ctx, { type }: Repo, row: MirrorRow, pair: Pair): Promise<Distance> {
  const known = ctx.db.keep(knownOf)
  const key = `${row.repo_id} ${pair.from} ${pair.to}`
  const before = known.get(key)
  if (before) return before
  const asked = askFor(ctx, type, row, pair).catch((err: unknown) => {
    ctx.log.info({ err, repo: row.repo_id }, 'an upstream did not say how far its mirror is behind')
    return undefined
  })
  known.set(key, asked)
  void asked.then((found) => found === undefined && known.set(key, asked, { ttl: UNKNOWN_MS }))
  return asked
}

/** What is read with a person's token is asked for by that person alone. */
async function askFor(ctx: Ctx, type: Repo['type'], row: MirrorRow, pair: Pair): Promise<Distance> {
  const { actor } = ctx
  if (row.read_by !== null && !(actor.kind === 'user' && actor.id === row.read_by)) return undefined
  const upstream = await findUpstream(ctx, row.upstream)
  if (!upstream?.enabled) return undefined
  const { token } = await tokenFor(ctx, upstream, row.read_by)
  const caller = { upstream, token, signal: ctx.stopping }
  return commitsBetween(ctx, caller, { type, name: row.upstream_repo }, pair)
}
