import type { z } from '@hono/zod-openapi'
import { time } from '../../core/http/contract.ts'
import type { Quota } from '../namespaces/index.ts'
import type { Overview } from './overview.ts'
import type { AdminOverview } from './routes.ts'

/** The figures as the API shows them. */
export function viewOverview({
  at,
  storage,
  jobs,
  counts,
  server,
}: Overview): z.output<typeof AdminOverview> {
  const { disk, chunks, ...rest } = storage
  const { oldest_due_at, ...others } = chunks
  return {
    at: time(at),
    storage: {
      ...(disk ? { disk: { free_bytes: disk.freeBytes, total_bytes: disk.totalBytes } } : {}),
      ...rest,
      chunks: { ...others, ...(oldest_due_at ? { oldest_due_at: time(oldest_due_at) } : {}) },
    },
    jobs,
    counts,
    server: { ...server, started_at: time(server.started_at) },
  }
}

/** What a namespace holds and may hold as the API shows it. */
export function viewQuota({ ns, kind, displayName, usedBytes, quotaBytes }: Quota) {
  return {
    ns,
    kind,
    display_name: displayName,
    used_bytes: usedBytes,
    ...(quotaBytes === null ? {} : { quota_bytes: quotaBytes }),
  }
}
