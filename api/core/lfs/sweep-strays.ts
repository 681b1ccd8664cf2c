import type { Ctx } from '../ctx.ts'
import { accountedKeys, ownedPrefixes } from './named-keys.ts'
import { markForDeletion } from './queries.ts'
import type { SweepRun } from '../sweep.ts'
import { isTooMany } from './too-many.ts'

const PAGE = 500
const STRAY_AGE_MS = 7 * 24 * 3_600_000
/** Keys held in memory; the next run finds the rest. */
const MAX_STRAYS = 100_000

/**
 * Lists for deletion what lies below the prefixes of rows older than seven days and named by no row, which only the
 * restore of an older database leaves behind. A list that fails aborts the whole `gc` job before anything is deleted.
 */
export async function sweepStrays(ctx: Ctx, run: SweepRun): Promise<Record<string, number | boolean>> {
  const strays: string[] = []
  let listed = 0
  for (const prefix of ownedPrefixes) {
    for await (const keys of oldKeys(ctx, prefix, run.signal)) {
      listed += keys.length
      const named = await accountedKeys(ctx.db, keys)
      strays.push(...keys.filter((key) => !named.has(key)))
      if (strays.length >= MAX_STRAYS) break
    }
  }
  if (isTooMany(strays.length, listed)) {
    ctx.log.error({ strays: strays.length, listed }, 'gc: refused to delete so many stray blobs at once')
    return { found: strays.length, aborted: true }
  }
  if (!run.dryRun) await run.write((tx) => markForDeletion(tx, strays, ctx.now()))
  return { found: strays.length }
}

/** Pages of the keys below `prefix` that are older than seven days. */
export async function* oldKeys(
  { blobs, now }: Pick<Ctx, 'blobs' | 'now'>,
  prefix: string,
  signal?: AbortSignal,
): AsyncGenerator<string[]> {
  const cutoff = now().getTime() - STRAY_AGE_MS
  let page: string[] = []
  for await (const { key, modifiedAt } of blobs.list(prefix)) {
    signal?.throwIfAborted()
    if (modifiedAt.getTime() > cutoff) continue
    page.push(key)
    if (page.length === PAGE) {
      yield page
      page = []
    }
  }
  if (page.length > 0) yield page
}
