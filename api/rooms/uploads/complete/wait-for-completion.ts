import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { findUpload, type UploadRow } from '../queries.ts'

const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 100
/** Node's fetch fails after 300 s without headers (hub-wire.md §7.2). */
const MAX_WAIT_MS = 240_000

/** Until when a completion that begins now waits, by `performance.now()`. */
export const waitDeadline = ({ config }: Pick<Ctx, 'config'>): number =>
  performance.now() + Math.min(config.lfs.verify_wait, MAX_WAIT_MS)

/**
 * Looks at an upload, at once and after growing pauses, until `isOver` says that there is nothing more to wait for;
 * answers it as it is then. Throws `temporarily-unavailable` with `detail` at the deadline and when the server stops.
 */
export async function waitForUpload(
  ctx: Ctx,
  id: string,
  { deadline, detail }: { deadline: number; detail: string },
  isOver: (upload: UploadRow | undefined) => boolean | Promise<boolean>,
): Promise<UploadRow | undefined> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const upload = await findUpload(ctx.db, id)
    if (await isOver(upload)) return upload
    if (performance.now() >= deadline || ctx.stopping.aborted)
      throw new Problem('temporarily-unavailable', { detail, retryAfterS: 2 })
    await pause(pauseMs)
  }
}
