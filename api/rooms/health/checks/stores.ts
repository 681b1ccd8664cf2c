import { randomUUID } from 'node:crypto'
import { count, isNotNull } from 'drizzle-orm'
import type { Deps } from '../../../core/ctx.ts'
import { guardFor, safeFetch } from '../../../platform/net/index.ts'
import { blobKeys, collect, fromChunks } from '../../../stores/storage/index.ts'
import type { HealthCheck, Finding } from '../check.ts'

const PRESIGN_TTL_S = 60
const SLOW_MS = 1000

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await act()
  return Math.round(performance.now() - begun)
}

export const database: HealthCheck = {
  name: 'database',
  async run({ db }) {
    const tookMs = await timed(() => db.check())
    const text = `${db.engine} can be written to; an empty transaction took ${tookMs} ms`
    if (tookMs < SLOW_MS) return { status: 'ok', text }
    return {
      status: 'warn',
      text,
      fix: 'Look for slow statements in the log, and at the disk or the network.',
    }
  },
}

/** Whether a client can use a presigned address. */
async function presigned({ blobs, config }: Deps, key: string, body: string): Promise<Finding | undefined> {
  const url = await blobs.presignGet(key, { ttlS: PRESIGN_TTL_S })
  if (url === undefined) return undefined
  const { origin } = new URL(url)
  const fix = `Clients must reach ${origin} too. Correct storage.s3.endpoint, or set storage.s3.download_mode and upload_mode to proxy.`
  try {
    const guard = guardFor('upstream', config.security.outbound_allow, undefined, [url])
    const answer = await safeFetch(url, guard)
    if (answer.status === 200 && answer.body.toString() === body)
      return { status: 'ok', text: `a presigned address at ${origin} answers` }
    return { status: 'fail', text: `a presigned address at ${origin} answered ${answer.status}`, fix }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { status: 'fail', text: `a presigned address at ${origin} cannot be used: ${reason}`, fix }
  }
}

export const store: HealthCheck = {
  name: 'store',
  async run(deps) {
    const { blobs } = deps
    const key = blobKeys.probe(randomUUID())
    const body = 'arsenal doctor'
    await blobs.check()
    try {
      const tookMs = await timed(async () => {
        await blobs.put(key, fromChunks(Buffer.from(body)))
        const part = await collect(await blobs.read(key, { offset: 8, length: 6 }), body.length)
        if (Buffer.from(part).toString() !== 'doctor')
          throw new Error('a range that was read back differs from what was written')
      })
      const link = await presigned(deps, key, body)
      const text = `${blobs.kind}: bytes were written, read by range and deleted; write and read took ${tookMs} ms`
      return [{ status: 'ok', text }, ...(link ? [link] : [])]
    } finally {
      await blobs.delete(key)
    }
  },
}

export const damage: HealthCheck = {
  name: 'damage',
  async run({ db: { q, t } }) {
    const { lfs_objects: o } = t
    const [row] = await q.select({ n: count() }).from(o).where(isNotNull(o.corrupt_at))
    const damaged = row?.n ?? 0
    if (damaged === 0) return { status: 'ok', text: 'no large file is known to be damaged' }
    return {
      status: 'fail',
      text: `large files with damaged bytes: ${damaged}`,
      fix: 'Run arsenal restore --from <backup> --damaged, or upload the files again.',
    }
  },
}
