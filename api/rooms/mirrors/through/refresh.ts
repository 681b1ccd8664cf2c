import { LRUCache } from 'lru-cache'
import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import type { Db } from '../../../stores/db/index.ts'
import { fetchInto } from '../pull/fetch-into.ts'
import { addSync, setMirror } from '../queries.ts'
import { describeUpstream, requireStillOpen } from '../reading/describe.ts'
import { openRemote, resolveRemote } from '../reading/remote.ts'
import { isEmptySelection } from '../selection/select.ts'
import { showHead } from '../sync/show-head.ts'
import { queueSync } from '../sync/sync-job.ts'
import { askerOf } from './bring-revision.ts'
import type { ReadMirror } from './mirror-of.ts'

/** How long a branch or tag counts as where the upstream has it. */
const FRESH_MS = 5 * 60_000
/** How long an upstream that did not answer is not asked again. */
const STALE_MS = 30_000
/** How long a reader waits for the upstream; then what is here is answered. */
const PATIENCE_MS = 1_000
const MAX_KNOWN = 10_000

interface Known {
  until: number
  isStale: boolean
}

const knownOf = (_: Db) => new LRUCache<string, Known>({ max: MAX_KNOWN })
const runningOf = (_: Db) => new Map<string, Promise<Known & { hasMoved: boolean }>>()

/** What a look at the upstream found: whether refs have moved here, and whether it could not be asked. */
export interface Freshness {
  hasMoved: boolean
  isStale: boolean
}

const settled: Freshness = { hasMoved: false, isStale: false }

/**
 * Looks whether a branch or tag of a mirror has moved at its upstream, five minutes after the last look. The caller waits a
 * second at most; the look goes on without them.
 */
export async function refresh(ctx: Ctx, read: ReadMirror, name: string): Promise<Freshness> {
  const { mirror } = read
  if (mirror.tracking !== 'follow' || /^[0-9a-f]{40}$/.test(name)) return settled
  const revision = name === '' || name === 'HEAD' ? mirror.revision : name
  const key = `ref/${mirror.repo_id}/${revision}`
  const known = ctx.db.keep(knownOf)
  const last = known.get(key)
  if (last && last.until > ctx.now().getTime()) return { hasMoved: false, isStale: last.isStale }
  const running = ctx.db.keep(runningOf)
  let look = running.get(key)
  if (!look) {
    look = lookOnce(ctx, read, revision, key).finally(() => running.delete(key))
    running.set(key, look)
    look.then(
      (result) => known.set(key, result),
      (err: unknown) => ctx.log.warn({ err, repo: mirror.repo_id }, 'a mirror could not be looked at'),
    )
  }
  const slow = { hasMoved: false, isStale: true }
  const tooSlow = new AbortController()
  const patience = pause(PATIENCE_MS, slow, { signal: tooSlow.signal }).catch(() => slow)
  return Promise.race([look.catch(() => slow), patience]).finally(() => tooSlow.abort())
}

type Result = Known & { hasMoved: boolean }

/** Processes share what they found; that two look at once does no harm. */
async function lookOnce(ctx: Ctx, read: ReadMirror, revision: string, key: string): Promise<Result> {
  const now = ctx.now().getTime()
  const { upstream_looks: l } = ctx.db.t
  const [row] = await ctx.db.q.select().from(l).where(eq(l.key, key))
  if (row && row.until.getTime() > now)
    return {
      hasMoved: false,
      isStale: row.holder === null && row.problem !== null,
      until: row.until.getTime(),
    }
  const seenAt = read.mirror.last_sync_at?.getTime() ?? 0
  if (revision === read.mirror.revision && seenAt + FRESH_MS > now)
    return { ...settled, until: seenAt + FRESH_MS }
  const keep = async (ms: number, isStale: boolean) => {
    const until = new Date(now + ms)
    const problem = isStale ? ({ code: 'upstream-unavailable', detail: '' } as const) : null
    const set = { holder: null, until, problem }
    await ctx.db.write(({ q }) =>
      q
        .insert(l)
        .values({ key, ...set })
        .onConflictDoUpdate({ target: l.key, set }),
    )
    return until.getTime()
  }
  try {
    const hasMoved = await follow(ctx, read, revision)
    return { hasMoved, isStale: false, until: await keep(FRESH_MS, false) }
  } catch (err) {
    ctx.log.info({ err, repo: read.mirror.repo_id }, 'the upstream of a mirror could not be asked')
    return { hasMoved: false, isStale: true, until: await keep(STALE_MS, true) }
  }
}

/** Brings a branch or tag to where its upstream has it; a head whose files are wanted comes with them, by a job. */
async function follow(ctx: Ctx, read: ReadMirror, revision: string): Promise<boolean> {
  const { mirror, repo, caller } = read
  const found = await describeUpstream(ctx, caller, repo, revision, { sizes: false })
  requireStillOpen(caller, mirror, found)
  const { commit } = found
  const snapshot = await ctx.git.open(mirror.repo_id)
  const last = await snapshot.resolve(revision)
  if (last && (snapshot.upstreamCommit(last.commit) ?? last.commit) === commit) return false
  if (revision === mirror.revision && !isEmptySelection(mirror.selection)) {
    await ctx.db.write((tx) => queueSync(tx, ctx, mirror))
    return false
  }
  const remote = await openRemote(ctx, caller, repo, { mustBeGit: mirror.fidelity === 'git' })
  const at = await resolveRemote(ctx, remote, revision)
  const now = ctx.now()
  const here = await fetchInto(await askerOf(ctx, read), remote, mirror.repo_id, at, {
    history: mirror.history,
    signal: ctx.stopping,
    isVisible: false,
    alongside: async (tx) => {
      await addSync(tx, { repo_id: mirror.repo_id, commit: at.commit, synced_at: now, job_id: null })
      const { fidelity } = remote
      const followed = {
        upstream_commit: at.commit,
        local_commit: at.commit,
        last_sync_at: now,
        fidelity,
      }
      if (revision === mirror.revision) await setMirror(tx, mirror.repo_id, followed)
    },
  })
  await showHead(ctx, mirror.repo_id, here)
  return true
}
