import { and, asc, eq, exists, gt, isNull, or, sql } from 'drizzle-orm'
import type { Check, CheckOptions, Finding } from '../check.ts'
import type { Deps } from '../ctx.ts'
import { drain, hashing, StoreError, type BlobStore } from '../../stores/storage/index.ts'
import type { ObjectRow } from './queries.ts'
import { accountedKeys, ownedPrefixes } from './named-keys.ts'
import { oldKeys } from './sweep-strays.ts'

const PAGE = 500
const one = { one: sql`1` }

/** Pages of rows in key order; `read` answers those after the last key. */
async function* paged<R>(read: (last: R | undefined) => Promise<R[]>): AsyncGenerator<R> {
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) yield* page
}

/** A pointer's repo must be able to serve it. */
async function* checkLinks({ db: { q, t } }: Deps, { repoId }: CheckOptions): AsyncGenerator<Finding> {
  const { lfs_links: l, lfs_objects: o } = t
  const after = (last: { repo_id: string; sha256: string }) =>
    or(gt(l.repo_id, last.repo_id), and(eq(l.repo_id, last.repo_id), gt(l.sha256, last.sha256)))
  const rows = paged<{ repo_id: string; sha256: string }>((last) =>
    q
      .select({ repo_id: l.repo_id, sha256: l.sha256 })
      .from(l)
      .leftJoin(o, and(eq(o.sha256, l.sha256), isNull(o.corrupt_at)))
      .where(
        and(isNull(o.sha256), repoId === undefined ? undefined : eq(l.repo_id, repoId), last && after(last)),
      )
      .orderBy(asc(l.repo_id), asc(l.sha256))
      .limit(PAGE),
  )
  for await (const { repo_id, sha256 } of rows)
    yield {
      check: 'lfs.link',
      severity: 'error',
      message: `no sound object ${sha256}; uploading it again heals this`,
      repo_id,
    }
}

function objectsOf({ db: { q, t } }: Deps, { repoId, resume }: CheckOptions): AsyncGenerator<ObjectRow> {
  const { lfs_objects: o, lfs_links: l } = t
  const linked =
    repoId === undefined
      ? undefined
      : exists(
          q
            .select(one)
            .from(l)
            .where(and(eq(l.repo_id, repoId), eq(l.sha256, o.sha256))),
        )
  return paged<ObjectRow>((last) =>
    q
      .select()
      .from(o)
      .where(and(isNull(o.corrupt_at), linked, gt(o.sha256, last?.sha256 ?? resume?.after ?? '')))
      .orderBy(asc(o.sha256))
      .limit(PAGE),
  )
}

/** What is wrong with an object's bytes, if anything. A store that fails throws: unsure is not damaged. */
export async function faultOf(
  { blobs }: { blobs: Pick<BlobStore, 'read' | 'stat'> },
  { key, size, sha256 }: ObjectRow,
  isDeep: boolean,
) {
  const stat = await blobs.stat(key)
  if (!stat) return 'the bytes are gone'
  if (stat.sizeBytes !== size) return `${stat.sizeBytes} bytes instead of ${size}`
  if (!isDeep) return undefined
  try {
    const hashed = hashing(await blobs.read(key), 'sha256')
    await drain(hashed.source)
    const { hex } = await hashed.digest()
    return hex === sha256 ? undefined : `the bytes have the SHA-256 ${hex}`
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'missing') return 'the bytes are gone'
    throw error
  }
}

async function* checkObjects(deps: Deps, options: CheckOptions): AsyncGenerator<Finding> {
  for await (const object of objectsOf(deps, options)) {
    yield* checkObject(deps, options, object)
    // Only now: a run that goes on here does not look at the object again.
    options.resume?.note(object.sha256)
  }
}

async function* checkObject(
  deps: Deps,
  { deep, repair }: CheckOptions,
  object: ObjectRow,
): AsyncGenerator<Finding> {
  const { lfs_objects: o } = deps.db.t
  const fault = await faultOf(deps, object, deep)
  const same = and(eq(o.sha256, object.sha256), eq(o.key, object.key))
  // The garbage collector may have taken the object meanwhile.
  if (fault === undefined || (await deps.db.q.$count(o, same)) === 0) return
  if (repair)
    await deps.db.write(async (tx) => {
      await tx.q.update(o).set({ corrupt_at: deps.now() }).where(same)
    })
  const finding: Finding = {
    check: 'lfs.object',
    severity: 'error',
    message: `${object.sha256} at ${object.key}: ${fault}; uploading it again heals this`,
  }
  yield repair ? { ...finding, repaired: true } : finding
}

async function* checkStrays(deps: Deps): AsyncGenerator<Finding> {
  for (const prefix of ownedPrefixes)
    for await (const keys of oldKeys(deps, prefix)) {
      const named = await accountedKeys(deps.db, keys)
      for (const key of keys.filter((stray) => !named.has(stray)))
        yield { check: 'lfs.stray', severity: 'info', message: `${key} has no row; the gc job deletes it` }
    }
}

/**
 * link → object row → bytes with their size (deep: SHA-256), and bytes without a row. Repair puts a damaged object in
 * quarantine: it is served no more and the next upload of the same bytes takes its place.
 */
export const lfsCheck: Check = {
  name: 'lfs',
  async *run(deps, options) {
    yield* checkObjects(deps, options)
    yield* checkLinks(deps, options)
    if (options.repoId === undefined) yield* checkStrays(deps)
  },
}
