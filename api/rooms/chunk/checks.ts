import { and, asc, eq, gt } from 'drizzle-orm'
import type { Check, CheckOptions, Finding } from '../../core/check.ts'
import type { Deps } from '../../core/ctx.ts'
import { blobKeys, drain, StoreError, TooManyBytes, type BlobStore } from '../../stores/storage/index.ts'
import { forgetXorbs } from './forget-xorbs.ts'
import { FormatError } from './format/index.ts'
import type { XorbRow } from './queries.ts'
import { fed } from './threads/feed.ts'
import { runTask } from './threads/pool.ts'
import { readIndex } from './xorb-index.ts'

const PAGE = 500

/** Every container whose hash comes after `last`, by hash. */
export async function* xorbs({ db: { q, t } }: Pick<Deps, 'db'>, last = ''): AsyncGenerator<XorbRow> {
  const { chunk_xorbs: x } = t
  for (let after = last; ;) {
    const page = await q.select().from(x).where(gt(x.xorb_hash, after)).orderBy(asc(x.xorb_hash)).limit(PAGE)
    yield* page
    const end = page.at(-1)
    if (!end) return
    after = end.xorb_hash
  }
}

/** What is wrong with the bytes of a xorb, if anything. A store that fails throws: unsure is not damaged. */
export async function faultOf(
  deps: { blobs: Pick<BlobStore, 'read' | 'stat'> },
  xorb: XorbRow,
  isDeep: boolean,
): Promise<string | undefined> {
  const stat = await deps.blobs.stat(xorb.key)
  if (!stat) return 'the bytes are gone'
  if (stat.sizeBytes !== xorb.body_size) return `${stat.sizeBytes} bytes instead of ${xorb.body_size}`
  if (!(await deps.blobs.stat(blobKeys.xorbIndex(xorb.key)))) return 'its index is gone'
  if (!isDeep) return undefined
  try {
    const stored = Buffer.from(await readIndex(deps, xorb))
    let fault: string | undefined
    const bytes = fed(await deps.blobs.read(xorb.key), async (feed, signal) => {
      const found = await runTask('verify-xorb', undefined, { next: feed.next }, signal)
      if (found.hash !== xorb.xorb_hash) fault = `the bytes have the hash ${found.hash}`
      else if (!stored.equals(found.index)) fault = 'its index is wrong'
    })
    await drain(bytes)
    return fault
  } catch (error) {
    if (error instanceof FormatError) return error.message
    if (error instanceof TooManyBytes) return 'its index is wrong'
    if (error instanceof StoreError && error.kind === 'missing') return 'the bytes are gone'
    throw error
  }
}

async function* checkXorbs(deps: Deps, options: CheckOptions): AsyncGenerator<Finding> {
  for await (const xorb of xorbs(deps, options.resume?.after)) {
    yield* checkXorb(deps, options, xorb)
    // Only now: a run that goes on here does not look at the container again.
    options.resume?.note(xorb.xorb_hash)
  }
}

async function* checkXorb(
  deps: Deps,
  { deep, repair }: CheckOptions,
  xorb: XorbRow,
): AsyncGenerator<Finding> {
  const { chunk_xorbs: x } = deps.db.t
  const fault = await faultOf(deps, xorb, deep)
  const same = and(eq(x.xorb_hash, xorb.xorb_hash), eq(x.key, xorb.key))
  // The collector may have taken it meanwhile.
  if (fault === undefined || (await deps.db.q.$count(x, same)) === 0) return
  if (repair) await deps.db.write((tx) => forgetXorbs(tx, deps, same))
  const finding: Finding = {
    check: 'chunk.xorb',
    severity: 'error',
    message: `${xorb.xorb_hash} at ${xorb.key}: ${fault}; files already put together are not concerned`,
  }
  yield repair ? { ...finding, repaired: true } : finding
}

/**
 * Every chunk container has its bytes and its index (deep: each chunk and the index are verified again). Repair forgets a
 * damaged one, which the next upload sends again.
 */
export const chunkCheck: Check = {
  name: 'chunks',
  async *run(deps, options) {
    if (options.repoId === undefined) yield* checkXorbs(deps, options)
  },
}
