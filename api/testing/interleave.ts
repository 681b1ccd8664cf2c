import { sql } from 'drizzle-orm'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Deps } from '../core/ctx.ts'
import type { Db } from '../stores/db/index.ts'
import { Git } from '../core/git/index.ts'
import { FaultyBlobStore } from '../stores/storage/testing/faulty.ts'
import type { IoOperation } from '../stores/storage/testing/fault-plan.ts'
import { watchedDb, type DbStep } from './watched-db.ts'

/** A transaction, an operation of the blob store, or statements by a pattern of their SQL text. */
type Step = 'write' | 'snapshot' | IoOperation | RegExp

/** Where a verb can be held: before or after the `nth` of such steps that it takes. */
export interface Point {
  when: 'before' | 'after'
  step: Step
  /** From 1, which it is when left out. */
  nth?: number
  /** Counts operations of the blob store on such keys alone. */
  key?: RegExp
}

type More = Pick<Point, 'nth' | 'key'>

export const before = (step: Step, more: More = {}): Point => ({ when: 'before', step, ...more })
export const after = (step: Step, more: More = {}): Point => ({ when: 'after', step, ...more })

/** A verb that stands still at a point. */
export interface Held<T> {
  /** Lets it continue; its outcome. */
  resume(): Promise<T>
}

const textOf = ({ when, step, nth = 1, key }: Point) =>
  `${when} step ${nth} of ${String(step)}${key ? ` on ${String(key)}` : ''}`

class Gate {
  readonly #point: Point
  #seen = 0
  #arrive: () => void = () => undefined
  #open: () => void = () => undefined
  readonly arrival = new Promise<void>((resolve) => (this.#arrive = resolve))
  readonly #opened = new Promise<void>((resolve) => (this.#open = resolve))

  constructor(point: Point) {
    this.#point = point
  }

  open(): void {
    this.#open()
  }

  /** Whether this is the step; each is counted as it begins. */
  isAt(isSuch: boolean): boolean {
    return isSuch && ++this.#seen === (this.#point.nth ?? 1)
  }

  readonly wait = async (): Promise<void> => {
    this.#arrive()
    await this.#opened
  }
}

function isSuchStatement({ step: wanted }: Point, step: DbStep): boolean {
  return step.kind === 'statement' ? wanted instanceof RegExp && wanted.test(step.sql) : wanted === step.kind
}

/** The same stores, which stop once at `point`. */
function overGate<C extends Deps>(ctx: C, point: Point, gate: Gate): C {
  const db = watchedDb(ctx.db, async (step, act) => {
    const isHere = gate.isAt(isSuchStatement(point, step))
    if (isHere && step.kind === 'statement' && step.isInside && ctx.db.engine === 'sqlite')
      throw new Error(`${textOf(point)} is in a transaction, beside which SQLite takes no other writer`)
    if (isHere && point.when === 'before') await gate.wait()
    const result = await act()
    if (isHere && point.when === 'after') await gate.wait()
    return result
  })
  const blobs = new FaultyBlobStore(ctx.blobs, ({ operation, key }) => {
    const isSuch = operation === point.step && (point.key?.test(key) ?? true)
    return gate.isAt(isSuch) ? { type: 'pause', when: point.when, until: gate.wait } : undefined
  })
  return { ...ctx, db, blobs, git: new Git({ ...ctx.git.deps, db, blobs }) }
}

/**
 * Begins `verb` over the stores of `ctx` and holds it at `point`, so that a competitor can run for real
 * between two of its looks: through a context of its own, which stops nowhere. Fails when the verb ends without reaching
 * the point. A verb that is held in a transaction keeps its locks; what waits for them is awaited by `untilBlocked`.
 */
export async function hold<C extends Deps, T>(
  ctx: C,
  point: Point,
  verb: (ctx: C) => Promise<T>,
): Promise<Held<T>> {
  const gate = new Gate(point)
  const held = overGate(ctx, point, gate)
  const outcome = verb(held)
  const ending = outcome.then(
    () => new Error(`the verb ended without reaching: ${textOf(point)}`),
    (cause: unknown) => new Error(`the verb failed before: ${textOf(point)}`, { cause }),
  )
  onTestFinished(async () => {
    gate.open()
    await ending
    await held.git.close()
  })
  const missed = await Promise.race([gate.arrival, ending])
  if (missed) throw missed
  return {
    resume: () => {
      gate.open()
      return outcome
    },
  }
}

/** Resolves once somebody waits for a lock of Postgres; fails when `work`, which was to wait, ends before. */
export async function untilBlocked(db: Db, work: Promise<unknown>): Promise<void> {
  let hasEnded = false
  const end = () => (hasEnded = true)
  void work.then(end, end)
  const waiting = sql<string>`(select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock')`
  for (;;) {
    const [row] = await db.q.select({ waiting }).from(sql`(select 1) as one`)
    if (Number(row?.waiting) > 0) return
    if (hasEnded) throw new Error('nothing was in its way: it ended without waiting')
    await pause(5)
  }
}
