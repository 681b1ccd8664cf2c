import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { randomUUID } from 'node:crypto'
import type { Ctx } from '../../../core/ctx.ts'
import { openObject, type OpenObject } from '../../../core/lfs/index.ts'
import { Limiter } from '../../../platform/flow/index.ts'
import { freeSpaceOf } from '../../../stores/storage/index.ts'
import { ViewerFault } from '../viewer/viewer-fault.ts'

const MAX_CACHE_BYTES = 20 * 1024 ** 3
const SPARE_BYTES = 1024 ** 3
/** Files that were asked for so lately may be open in a query. */
const IN_USE_MS = 10 * 60_000
/** A request waits so long for files that are on their way. */
const PATIENCE_MS = 3000

const underWay = new Map<string, Promise<void>>()
const turns = new Limiter({ atOnce: 2 })

const cacheDir = ({ config }: Pick<Ctx, 'config'>) => join(config.server.data_dir, 'viewer', 'cache')

/**
 * Paths of large files on this machine, for the engine, which reads no other: where the store keeps them as files those,
 * else copies in a cache. `ResponseNotReady` while copies are being made.
 */
export async function localPaths(ctx: Ctx, repoId: string, sha256s: string[]): Promise<string[]> {
  const paths: string[] = []
  const missing: Promise<void>[] = []
  for (const sha256 of sha256s) {
    const object = await openObject(ctx, repoId, sha256)
    const key = object.key()
    const stored = key === undefined ? undefined : ctx.blobs.localPath(key)
    const path = stored ?? join(cacheDir(ctx), sha256)
    paths.push(path)
    if (stored === undefined && !(await touch(path, ctx.now()))) missing.push(fetchOnce(ctx, object, path))
  }
  if (missing.length > 0) await patiently(Promise.all(missing), ctx.signal)
  return paths
}

async function patiently(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const isReady = await Promise.race([
    work.then(() => true),
    new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PATIENCE_MS)
    }),
  ]).finally(() => clearTimeout(timer))
  signal.throwIfAborted()
  if (!isReady)
    throw new ViewerFault(
      'ResponseNotReady',
      'The files of the split are being loaded. Try again in a moment.',
    )
}

/** Marks a copy as used now; says whether there is one. */
async function touch(path: string, now: Date): Promise<boolean> {
  try {
    await utimes(path, now, now)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

function fetchOnce(ctx: Ctx, object: OpenObject, path: string): Promise<void> {
  const known = underWay.get(path)
  if (known) return known
  const work = turns.run('', () => fetchCopy(ctx, object, path)).finally(() => underWay.delete(path))
  underWay.set(path, work)
  // Who asked may have left by the time it fails; the next one tries again and hears of it.
  work.catch((error: unknown) => ctx.log.warn({ err: error }, 'a file of the viewer could not be copied'))
  return work
}

async function fetchCopy(ctx: Ctx, object: OpenObject, path: string): Promise<void> {
  const dir = cacheDir(ctx)
  await mkdir(dir, { recursive: true })
  const sizeBytes = object.presence === 'present' ? object.sizeBytes : 0
  await makeRoom(dir, sizeBytes, ctx.now())
  const temporary = join(dir, `${randomUUID()}.part`)
  try {
    // A copy serves everybody who asks, so it is made to its end although its first caller leaves.
    await pipeline(await object.open(), createWriteStream(temporary, { flags: 'wx' }))
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Deletes the copies that were unused the longest until another fits. */
async function makeRoom(dir: string, sizeBytes: number, now: Date): Promise<void> {
  const names = await readdir(dir)
  const copies = (
    await Promise.all(
      names.map(async (name) => {
        const path = join(dir, name)
        const found = await stat(path).catch(() => undefined)
        return found ? [{ path, size: found.size, usedAt: found.mtimeMs }] : []
      }),
    )
  ).flat()
  let held = copies.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size, usedAt } of copies.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (held + sizeBytes <= MAX_CACHE_BYTES || now.getTime() - usedAt < IN_USE_MS) break
    await rm(path, { force: true })
    held -= size
  }
  const { freeBytes } = await freeSpaceOf(dir)
  if (freeBytes < sizeBytes + SPARE_BYTES)
    throw new ViewerFault(
      'TooBigContentError',
      'The server has too little disk space to search this split. Ask its operator to make room.',
    )
}
