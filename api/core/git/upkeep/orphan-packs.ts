import { and, eq, lt } from 'drizzle-orm'
import type { Ctx } from '../../ctx.ts'
import type { Sweep } from '../../sweep.ts'
import { heldUntil } from '../../lfs/index.ts'
import { giveUp } from '../packs/catalogue.ts'
import { sweepTempDir } from '../runner/temp-dir.ts'

/** Packs discarded in one run; the next one finds the rest. */
const MAX_PACKS = 5000

/**
 * Part of `gc`: deletes unused packs, that is those retired for longer than `git.pack_grace_period`, those pending
 * for twice `git.timeout` (their writer died) and such a sweep's own leftovers; and what crashed processes left in the
 * folder of temporary files.
 */
export const orphanPacks: Sweep = {
  name: 'packs',
  async run(ctx, { dryRun, signal, write }) {
    const due = await duePacks(ctx)
    if (dryRun) return { due: due.length, bytes: due.reduce((sum, { bytes }) => sum + bytes, 0) }
    // A backup may have seen a pack live that was retired since.
    if (await heldUntil(ctx.db, ctx.now())) return { deleted: 0, held: true }
    for (const row of due) {
      signal.throwIfAborted()
      await giveUp(ctx.git, row, write)
    }
    await sweepTempDir(ctx.git.store.tempDir, ctx.config.git.timeout, ctx.now())
    return { deleted: due.length }
  },
}

interface DuePack {
  id: string
  repoId: string
  bytes: number
}

async function duePacks({ db, config, now }: Ctx): Promise<DuePack[]> {
  const { git_packs } = db.t
  const before = (ms: number) => new Date(now().getTime() - ms)
  const conditions = [
    eq(git_packs.state, 'deleting'),
    and(eq(git_packs.state, 'retired'), lt(git_packs.retired_at, before(config.git.pack_grace_period))),
    and(eq(git_packs.state, 'pending'), lt(git_packs.created_at, before(2 * config.git.timeout))),
  ]
  const due: DuePack[] = []
  for (const condition of conditions) {
    const { id, repo_id: repoId, pack_bytes, idx_bytes } = git_packs
    const rows = await db.q
      .select({ id, repoId, pack_bytes, idx_bytes })
      .from(git_packs)
      .where(condition)
      .limit(MAX_PACKS - due.length)
    due.push(...rows.map((row) => ({ ...row, bytes: Number(row.pack_bytes) + Number(row.idx_bytes) })))
  }
  return due
}
