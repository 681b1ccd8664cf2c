import type { Deps } from '../ctx.ts'
import { Execution } from './execution.ts'
import type { JobKind } from './kind.ts'
import { claimOne } from './queries.ts'

/** Runs every Job of `kinds` that is due by the world's clock, one after another, until none is left. */
export async function runJobs(deps: Deps, kinds: readonly JobKind[]): Promise<void> {
  const claim = () =>
    deps.db.write((tx) =>
      claimOne(tx, {
        engine: deps.db.engine,
        kinds,
        worker: 'test',
        now: deps.now(),
        leaseMs: 60_000,
      }),
    )
  for (let job = await claim(); job; job = await claim()) {
    const kind = kinds.find((one) => one.kind === job?.kind)
    if (kind) await new Execution(deps, kind, job, async () => deps.now()).run()
  }
}
