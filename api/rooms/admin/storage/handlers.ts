import { time } from '../../../core/http/contract.ts'
import type { App } from '../../../core/http/env.ts'
import { viewJob } from '../../../core/jobs/view.ts'
import { getStorage, startStorageCount, type StorageDay } from './get-storage.ts'
import * as routes from './routes.ts'

const viewDay = ({ day, counted_at: _, ...amounts }: StorageDay) => ({ date: day, ...amounts })

/** The operations on what is stored over time, and by whom. */
export function mountStorage(app: App): void {
  app.openapi(routes.getStorage, async (c) => {
    const report = await getStorage(c.var.ctx, c.req.valid('query').days)
    return c.json(
      {
        ...(report.countedAt && { counted_at: time(report.countedAt) }),
        days: report.days.map(viewDay),
        repos: report.repos.map(({ type, ns, name, bytes, deletedAt }) => ({
          repo: { type, ns, name },
          bytes,
          is_deleted: deletedAt !== null,
        })),
        namespaces: report.namespaces.map(({ ns, kind, bytes, quotaBytes }) => ({
          ns,
          kind,
          bytes,
          ...(quotaBytes !== null && { quota_bytes: quotaBytes }),
        })),
      },
      200,
    )
  })

  app.openapi(routes.startStorageCount, async (c) => {
    const job = await startStorageCount(c.var.ctx)
    return c.json(await viewJob(c.var.ctx, [], job), 202)
  })
}
