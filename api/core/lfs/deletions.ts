import { discardKeys } from './record.ts'
import { inArray } from 'drizzle-orm'
import type { Ctx, Deps } from '../ctx.ts'
import { StoreError } from '../../stores/storage/index.ts'
import { heldUntil } from './holds.ts'
import { namedKeys } from './named-keys.ts'
import { dueDeletions, unmarkForDeletion } from './queries.ts'
import type { Write } from '../sweep.ts'

const PAGE = 200
const AT_ONCE = 8

/** Deletes one key's bytes; `false` when a row names it after all. */
async function deleteBytes({ db, blobs, log }: Deps, key: string): Promise<boolean> {
  if ((await namedKeys(db, [key])).has(key)) {
    log.error({ key }, 'bytes that a row names were listed for deletion')
    return false
  }
  await blobs.delete(key)
  return true
}

async function deleteSome(ctx: Deps, write: Write, keys: string[]): Promise<number> {
  const settled = await Promise.allSettled(keys.map((key) => deleteBytes(ctx, key)))
  const done = keys.filter((_, i) => settled[i]?.status === 'fulfilled')
  await write((tx) => unmarkForDeletion(tx, done))
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return settled.filter((one) => one.status === 'fulfilled' && one.value).length
}

/**
 * Deletes the bytes of every key whose time has come, then its row. Stops at the first failure of the store, and when a
 * backup holds deletions.
 */
export async function workOffDeletions(
  ctx: Ctx,
  { write, signal }: { write: Write; signal: AbortSignal },
): Promise<number> {
  let deleted = 0
  for (;;) {
    signal.throwIfAborted()
    const due = await dueDeletions(ctx.db, ctx.now(), PAGE)
    if (due.length === 0 || (await heldUntil(ctx.db, ctx.now()))) return deleted
    for (let at = 0; at < due.length; at += AT_ONCE) {
      const keys = due.slice(at, at + AT_ONCE).map((row) => row.key)
      deleted += await deleteSome(ctx, write, keys)
    }
  }
}

/**
 * Deletes discarded bytes at once instead of at the next `gc` job. A failure of the store is logged only: the keys stay
 * listed, as they do while a backup holds deletions.
 */
export async function deleteDiscarded(ctx: Ctx, keys: string[]): Promise<void> {
  const { blob_deletions: d } = ctx.db.t
  try {
    if (await heldUntil(ctx.db, ctx.now())) return
    for (let at = 0; at < keys.length; at += AT_ONCE) {
      const some = keys.slice(at, at + AT_ONCE)
      const listed = await ctx.db.q.select({ key: d.key }).from(d).where(inArray(d.key, some))
      await deleteSome(
        ctx,
        ctx.db.write.bind(ctx.db),
        listed.map((row) => row.key),
      )
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    ctx.log.warn({ err: error }, 'discarded bytes are left to the gc job')
  }
}

/** After a failure: gives up the bytes under a reserved key and deletes them at once, if they came to be. Never throws. */
export async function deleteReserved(ctx: Ctx, key: string): Promise<void> {
  try {
    await ctx.db.write((tx) => discardKeys(tx, ctx, [key]))
    await deleteDiscarded(ctx, [key])
  } catch (error) {
    ctx.log.warn({ err: error, key }, 'the key of a failed upload is left to its reservation')
  }
}
