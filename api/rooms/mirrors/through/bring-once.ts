import { and, eq, lte } from 'drizzle-orm'
import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { newId, type Db } from '../../../stores/db/index.ts'
import type { LookProblem } from '../tables.ts'

/** How long "the upstream has none" holds. */
const DENIED_MS = 60_000
/** How long a process may be silent before another looks. */
const LEASE_MS = 15_000
const LOOK_EVERY_MS = 100

const denials = new Set(['not-found', 'gated', 'revision-not-found'])

/** What is looked for. */
export interface Look<T> {
  key: string
  /** Whether it is here by now. */
  find: () => Promise<T | undefined>
  /** Brings it here from the upstream. */
  bring: () => Promise<void>
}

const runningOf = (_: Db) => new Map<string, Promise<unknown>>()

/**
 * Answers what `find` finds. Where that is nothing, one caller of all processes brings it, and the others wait for that.
 * What the upstream denies is thrown to everyone for a minute, without asking again.
 */
export async function bringOnce<T>(ctx: Ctx, look: Look<T>): Promise<T> {
  const running = ctx.db.keep(runningOf)
  const under = running.get(look.key)
  if (under) return under as Promise<T>
  const own = overProcesses(ctx, look).finally(() => running.delete(look.key))
  running.set(look.key, own)
  return own
}

async function overProcesses<T>(ctx: Ctx, { key, find, bring }: Look<T>): Promise<T> {
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    const claimed = await claim(ctx, key)
    if (claimed === 'held') await pause(LOOK_EVERY_MS, undefined, { signal: ctx.stopping })
    else if (claimed.problem) throw problemOf(claimed.problem)
    else {
      // Another process may have brought it between the look and the claim.
      await hold(ctx, key, claimed.holder, async () => {
        if ((await find()) === undefined) await bring()
      })
      const brought = await find()
      if (brought === undefined) throw new Problem('not-found')
      return brought
    }
  }
}

const problemOf = ({ code, detail, upstream }: LookProblem) =>
  new Problem(code, { detail, ...(upstream === undefined ? {} : { members: { upstream } }) })

async function claim(
  ctx: Ctx,
  key: string,
): Promise<'held' | { problem: LookProblem } | { holder: string; problem?: undefined }> {
  const now = ctx.now()
  const holder = newId()
  const set = { holder, until: new Date(now.getTime() + LEASE_MS), problem: null }
  return ctx.db.write(async ({ q, t: { upstream_looks: l } }) => {
    const [made] = await q
      .insert(l)
      .values({ key, ...set })
      .onConflictDoUpdate({ target: l.key, set, setWhere: lte(l.until, now) })
      .returning()
    if (made?.holder === holder) return { holder }
    const [row] = await q.select().from(l).where(eq(l.key, key))
    if (row?.problem) return { problem: row.problem }
    return 'held'
  })
}

/** Does the work while others wait for it, and keeps what the upstream denied. */
async function hold(ctx: Ctx, key: string, holder: string, bring: () => Promise<void>): Promise<void> {
  const { upstream_looks: l } = ctx.db.t
  const isOurs = and(eq(l.key, key), eq(l.holder, holder))
  const until = (ms: number) => new Date(ctx.now().getTime() + ms)
  const renew = () =>
    ctx.db
      .write(({ q }) =>
        q
          .update(l)
          .set({ until: until(LEASE_MS) })
          .where(isOurs),
      )
      .catch((err: unknown) => ctx.log.warn({ err }, 'the lease of a look could not be renewed'))
  const timer = setInterval(() => void renew(), LEASE_MS / 4)
  try {
    await bring()
    await ctx.db.write(({ q }) => q.delete(l).where(isOurs))
  } catch (error) {
    const problem = denialOf(error)
    await ctx.db.write(async ({ q }) => {
      if (problem)
        await q
          .update(l)
          .set({ holder: null, problem, until: until(DENIED_MS) })
          .where(isOurs)
      else await q.delete(l).where(isOurs)
    })
    throw error
  } finally {
    clearInterval(timer)
  }
}

function denialOf(error: unknown): LookProblem | undefined {
  if (!(error instanceof Problem) || !denials.has(error.code)) return undefined
  const upstream = error.members?.['upstream']
  return {
    code: error.code as LookProblem['code'],
    detail: error.detail ?? error.title,
    ...(typeof upstream === 'string' ? { upstream } : {}),
  }
}
