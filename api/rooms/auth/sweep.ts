import { and, inArray, isNull, lt, lte, or } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { isIdle } from './policies/idle.ts'
import { readPolicies } from './policies/policies.ts'
import { SWEEP_ROWS, sweepRows, type Sweep, type SweepRun } from '../../core/sweep.ts'

/** A device that polls late still learns how its login ended; a throttle looks back one hour at most. */
const KEPT_MS = 24 * 3_600_000

/** A network from which a user has not signed in for so long protects them no more. */
const KNOWN_MS = 90 * 24 * 3_600_000

/**
 * Part of `gc`: forgets sessions that have ended, a day later device logins, idle throttles and links,
 * and known networks.
 */
export const endedLogins: Sweep = {
  name: 'logins',
  run: async (ctx, run) => ({
    sessions: await sweepSessions(ctx, run),
    device_logins: await sweepDeviceLogins(ctx, run),
    throttles: await sweepThrottles(ctx, run),
    known_networks: await sweepKnownNetworks(ctx, run),
    links: await sweepLinks(ctx, run),
    finished_sign_ins: await sweepFinished(ctx, run),
    used_challenges: await sweepChallenges(ctx, run),
  }),
}

const aDayAgo = ({ now }: Ctx): Date => new Date(now().getTime() - KEPT_MS)

/** A session that ended for want of use stays for a day, so that its browser can say why it ended. */
async function sweepSessions(ctx: Ctx, run: SweepRun): Promise<number> {
  const { db, now } = ctx
  const { sessions } = db.t
  const { session_idle_minutes } = await readPolicies(db)
  const isOver = or(lte(sessions.expires_at, now()), isIdle(db.t, session_idle_minutes, aDayAgo(ctx)))
  return sweepRows(
    run,
    () => db.q.$count(sessions, isOver),
    ({ q }) => {
      const some = q.select({ id: sessions.id }).from(sessions).where(isOver).limit(SWEEP_ROWS)
      return q.delete(sessions).where(inArray(sessions.id, some)).returning({ id: sessions.id })
    },
  )
}

function sweepDeviceLogins(ctx: Ctx, run: SweepRun): Promise<number> {
  const { device_logins: logins } = ctx.db.t
  const isOver = lt(logins.expires_at, aDayAgo(ctx))
  return sweepRows(
    run,
    () => ctx.db.q.$count(logins, isOver),
    ({ q }) => {
      const some = q.select({ id: logins.id }).from(logins).where(isOver).limit(SWEEP_ROWS)
      return q.delete(logins).where(inArray(logins.id, some)).returning({ id: logins.id })
    },
  )
}

function sweepThrottles(ctx: Ctx, run: SweepRun): Promise<number> {
  const { throttles } = ctx.db.t
  const isIdle = and(
    lt(throttles.window_start, aDayAgo(ctx)),
    or(isNull(throttles.locked_until), lt(throttles.locked_until, aDayAgo(ctx))),
  )
  return sweepRows(
    run,
    () => ctx.db.q.$count(throttles, isIdle),
    ({ q }) => {
      const some = q.select({ key: throttles.key }).from(throttles).where(isIdle).limit(SWEEP_ROWS)
      return q.delete(throttles).where(inArray(throttles.key, some)).returning({ key: throttles.key })
    },
  )
}

function sweepKnownNetworks(ctx: Ctx, run: SweepRun): Promise<number> {
  const { known_networks: known } = ctx.db.t
  const isOld = lt(known.last_at, new Date(ctx.now().getTime() - KNOWN_MS))
  return sweepRows(
    run,
    () => ctx.db.q.$count(known, isOld),
    ({ q }) => {
      const some = q.selectDistinct({ id: known.user_id }).from(known).where(isOld).limit(SWEEP_ROWS)
      return q
        .delete(known)
        .where(and(isOld, inArray(known.user_id, some)))
        .returning({ id: known.user_id })
    },
  )
}

function sweepLinks(ctx: Ctx, run: SweepRun): Promise<number> {
  const { links } = ctx.db.t
  const isOver = lt(links.expires_at, aDayAgo(ctx))
  return sweepRows(
    run,
    () => ctx.db.q.$count(links, isOver),
    ({ q }) => {
      const some = q.select({ id: links.id }).from(links).where(isOver).limit(SWEEP_ROWS)
      return q.delete(links).where(inArray(links.id, some)).returning({ id: links.id })
    },
  )
}

function sweepFinished({ db, now }: Ctx, run: SweepRun): Promise<number> {
  const { finished_sign_ins: finished } = db.t
  const isOver = lte(finished.expires_at, now())
  return sweepRows(
    run,
    () => db.q.$count(finished, isOver),
    ({ q }) => {
      const some = q.select({ digest: finished.digest }).from(finished).where(isOver).limit(SWEEP_ROWS)
      return q.delete(finished).where(inArray(finished.digest, some)).returning({ digest: finished.digest })
    },
  )
}

function sweepChallenges({ db, now }: Ctx, run: SweepRun): Promise<number> {
  const { used_challenges: used } = db.t
  const isOver = lte(used.expires_at, now())
  return sweepRows(
    run,
    () => db.q.$count(used, isOver),
    ({ q }) => {
      const some = q.select({ digest: used.digest }).from(used).where(isOver).limit(SWEEP_ROWS)
      return q.delete(used).where(inArray(used.digest, some)).returning({ digest: used.digest })
    },
  )
}
