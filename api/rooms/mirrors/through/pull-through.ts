import { inArray, and, eq } from 'drizzle-orm'
import type { Actor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { ArrivingObject, PullThrough } from '../../../core/pull-through.ts'
import { orAborted } from '../../../platform/flow/index.ts'
import { inBatches } from '../../../stores/db/index.ts'
import { adopt } from './adopt.ts'
import { bringRevision } from './bring-revision.ts'
import { locate } from './file.ts'
import { lastingOf } from './lasting.ts'
import { mirrorFor, type ReadMirror } from './mirror-of.ts'
import { openArriving } from './read-arriving.ts'
import { refresh } from './refresh.ts'
import { findSingle } from './single-name.ts'

/** How the reads of one request pull through; `onStale` hears when what is here may be behind its upstream. */
export function pullThroughOf(ctx: Ctx, onStale: () => void): PullThrough {
  return {
    repo: (actor, address) => orAborted(adopt(lastingOf(ctx), actor, address), ctx.signal),
    single: (actor, type, name) => orAborted(findSingle(lastingOf(ctx), actor, { type, name }), ctx.signal),
    async revision(actor, repoId, { name, isHere }) {
      const read = await mirrorFor(ctx, actor, repoId)
      if (!read) return false
      if (!isHere) return orAborted(bringRevision(lastingOf(ctx), read, name), ctx.signal)
      const { hasMoved, isStale } = await refresh(lastingOf(ctx), read, name)
      if (isStale) onStale()
      return hasMoved
    },
    async objects(actor, repoId, sha256s) {
      const read = sha256s.length > 0 ? await mirrorFor(ctx, actor, repoId) : undefined
      return read ? objectsOf(ctx, actor, read, sha256s) : new Map<string, ArrivingObject>()
    },
  }
}

async function objectsOf(
  ctx: Ctx,
  actor: Actor,
  read: ReadMirror,
  sha256s: readonly string[],
): Promise<Map<string, ArrivingObject>> {
  const { q, t } = ctx.db
  const { lfs_absent: a } = t
  const rows = await inBatches(sha256s, (some) =>
    q
      .select({ sha256: a.sha256, sizeBytes: a.size })
      .from(a)
      .where(and(eq(a.repo_id, read.mirror.repo_id), inArray(a.sha256, some))),
  )
  const found = await Promise.all(
    rows.map(async ({ sha256 }) => {
      const file = await locate(ctx, read, sha256)
      if (!file) return []
      const { sizeBytes } = file
      const open: ArrivingObject['open'] = (range, signal) => openArriving(ctx, actor, file, range, signal)
      return [[sha256, { sizeBytes, open }] as const]
    }),
  )
  return new Map(found.flat())
}
