import { requireInstanceAdmin } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Db } from '../../stores/db/index.ts'
import type { CheckedFinding } from './check.ts'
import { runChecks } from './run-checks.ts'

const KEPT_MS = 10_000

interface Health {
  at: Date
  findings: CheckedFinding[]
}

/** The last answer for each database, or the one under way: the checks write to the store and ask the public address. */
const latest = new WeakMap<Db, { answer: Promise<Health>; until: number }>()

/** What the checks find. For instance admins. */
export async function getHealth(ctx: Ctx): Promise<Health> {
  requireInstanceAdmin(ctx.actor)
  const kept = latest.get(ctx.db)
  if (kept && ctx.now().getTime() < kept.until) return kept.answer
  // Checks that take longer than an answer is kept are not begun again beside themselves.
  const entry = { answer: gather(ctx), until: Infinity }
  latest.set(ctx.db, entry)
  entry.answer.then(
    () => (entry.until = ctx.now().getTime() + KEPT_MS),
    () => latest.delete(ctx.db),
  )
  return entry.answer
}

/** Ends with the process alone: others may wait for the same answer. */
async function gather(ctx: Ctx): Promise<Health> {
  const at = ctx.now()
  const findings: CheckedFinding[] = []
  for await (const finding of runChecks(ctx, ctx.stopping)) findings.push(finding)
  return { at, findings }
}
