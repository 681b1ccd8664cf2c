import { time } from '../../../core/http/contract.ts'
import type { App } from '../../../core/http/env.ts'
import { viewJob } from '../../../core/jobs/view.ts'
import * as routes from './routes.ts'
import { getUpkeep, startGc } from './upkeep.ts'

/** The operations on what keeps the blob store in order. */
export function mountUpkeep(app: App): void {
  app.openapi(routes.getUpkeep, async (c) => {
    const { heldUntil, gc, scrubs, faults } = await getUpkeep(c.var.ctx)
    const report = gc?.result ?? {}
    return c.json(
      {
        ...(heldUntil && { held_until: time(heldUntil) }),
        ...(gc?.at && {
          gc: { job_id: gc.id, at: time(gc.at), dry_run: report['dry_run'] === true, report },
        }),
        scrubs: scrubs.map(({ kind, round_started_at, read_bytes, finished_at }) => ({
          kind,
          round_started_at: time(round_started_at),
          read_bytes: Number(read_bytes),
          ...(finished_at && { finished_at: time(finished_at) }),
        })),
        faults: faults.map(({ kind, key, subject, message, found_at }) => ({
          kind,
          key,
          subject,
          message,
          found_at: time(found_at),
        })),
      },
      200,
    )
  })

  app.openapi(routes.startGc, async (c) => {
    const job = await startGc(c.var.ctx, c.req.valid('json').dry_run)
    return c.json(await viewJob(c.var.ctx, [], job), 202)
  })
}
