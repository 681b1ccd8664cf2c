import type { Ctx } from '../core/ctx.ts'
import { after, before, hold, untilBlocked } from './interleave.ts'

/** What somebody does, and in which context. */
export interface Verb<T> {
  ctx: Ctx
  run(ctx: Ctx): Promise<T>
}

interface Overtaking<T> {
  first: Verb<unknown>
  late: Verb<T>
  lock?: RegExp
}

/**
 * How one verb comes before another that has begun as well: before the transaction of the other, or so that this has to
 * wait for its lock. On SQLite transactions follow each other, and there is the first way alone.
 */
export const waysToOvertake = ({ engine }: { engine: 'sqlite' | 'postgres' }) =>
  engine === 'sqlite' ? (['ahead'] as const) : (['ahead', 'locked'] as const)

/**
 * How `late` ends when `first`, which succeeds, overtakes it. Fails where nothing makes `late` wait that should: what
 * `first` locks by the first statement that writes, unless another is named.
 */
export async function overtake<T>(
  how: 'ahead' | 'locked',
  { first, late, lock = /^(insert|update|delete) / }: Overtaking<T>,
): Promise<T> {
  if (how === 'ahead') {
    const held = await hold(late.ctx, before('write'), late.run)
    await first.run(first.ctx)
    return held.resume()
  }
  const held = await hold(first.ctx, after(lock), first.run)
  const outcome = late.run(late.ctx)
  await untilBlocked(late.ctx.db, outcome)
  await held.resume()
  return outcome
}
