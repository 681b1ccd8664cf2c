import { inArray } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import { inBatches, markForDeletion, type Reading } from './queries.ts'
import type { SweepRun } from '../sweep.ts'
import { isTooMany } from './sweep.ts'

const PAGE = 500
const STRAY_AGE_MS = 7 * 24 * 3_600_000
/** Keys held in memory; the next run finds the rest. */
const MAX_STRAYS = 100_000

/**
 * Lists for deletion what lies below `lfs/` and `uploads/` older than seven days and named by no row, which only the
 * restore of an older database leaves behind. A list that fails aborts the whole `gc` Job before anything is deleted.
 */
export async function sweepStrays(ctx: Ctx, run: SweepRun): Promise<Record<string, number | boolean>> {
  const strays: string[] = []
  let listed = 0
  for (const prefix of ['lfs/', 'uploads/']) {
    for await (const keys of oldKeys(ctx, prefix, run.signal)) {
      listed += keys.length
      const named = await namedKeys(ctx.db, keys)
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

/** The keys among these that a row names, be it the one that lists them for deletion. */
export async function namedKeys({ q, t }: Reading, keys: string[]): Promise<Set<string>> {
  const { lfs_objects: o, upload_parts: p, blob_deletions: d } = t
  const idOf = (key: string) => key.split('/').at(-1)?.split('.')[0] ?? ''
  const sha256s = keys.filter((key) => key.startsWith('lfs/')).map(idOf)
  const uploads = keys.filter((key) => key.startsWith('uploads/')).map((key) => key.split('/')[1] ?? '')
  const rows = [
    ...(await inBatches(sha256s, (some) => q.select({ key: o.key }).from(o).where(inArray(o.sha256, some)))),
    ...(await inBatches(uploads, (some) =>
      q.select({ key: p.key }).from(p).where(inArray(p.upload_id, some)),
    )),
    ...(await inBatches(keys, (some) => q.select({ key: d.key }).from(d).where(inArray(d.key, some)))),
  ]
  return new Set(rows.map((row) => row.key))
}
