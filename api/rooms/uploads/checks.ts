import { statesUnderWay } from '../../core/lfs/index.ts'
import { and, asc, eq, gt, inArray, lte } from 'drizzle-orm'
import type { Check, CheckOptions, Finding } from '../../core/check.ts'
import type { Deps } from '../../core/ctx.ts'
import type { PartRow, UploadRow } from './queries.ts'

const PAGE = 500
/** The nightly `gc` job ends what is past its deadline; two nights late means that it does not run. */
const LATE_MS = 48 * 3_600_000

const ofRepo = ({ db: { t } }: Deps, { repoId }: CheckOptions) =>
  repoId === undefined ? undefined : eq(t.uploads.repo_id, repoId)

async function* checkDeadlines(deps: Deps, options: CheckOptions): AsyncGenerator<Finding> {
  const { uploads: u } = deps.db.t
  const cutoff = new Date(deps.now().getTime() - LATE_MS)
  const isLate = and(inArray(u.status, statesUnderWay), lte(u.expires_at, cutoff), ofRepo(deps, options))
  let last = ''
  for (;;) {
    const page: UploadRow[] = await deps.db.q
      .select()
      .from(u)
      .where(and(isLate, gt(u.id, last)))
      .orderBy(asc(u.id))
      .limit(PAGE)
    for (const { id, repo_id, expires_at } of page)
      yield {
        check: 'uploads.deadline',
        severity: 'error',
        message: `upload ${id} should have ended on ${expires_at.toISOString()}; does the gc job run?`,
        repo_id,
      }
    const end = page.at(-1)
    if (!end) return
    last = end.id
  }
}

async function* partPages(deps: Deps, options: CheckOptions): AsyncGenerator<PartRow[]> {
  const { uploads: u, upload_parts: p } = deps.db.t
  let last = ''
  for (;;) {
    const uploads = await deps.db.q
      .select({ id: u.id })
      .from(u)
      .where(and(eq(u.status, 'open'), gt(u.id, last), ofRepo(deps, options)))
      .orderBy(asc(u.id))
      .limit(PAGE)
    for (const { id } of uploads)
      yield await deps.db.q.select().from(p).where(eq(p.upload_id, id)).orderBy(asc(p.n))
    const end = uploads.at(-1)
    if (!end) return
    last = end.id
  }
}

async function* checkParts(deps: Deps, options: CheckOptions): AsyncGenerator<Finding> {
  const { upload_parts: p } = deps.db.t
  for await (const parts of partPages(deps, options))
    for (const { upload_id, n, key, size } of parts) {
      const stat = await deps.blobs.stat(key)
      const same = and(eq(p.upload_id, upload_id), eq(p.n, n), eq(p.key, key))
      if (stat?.sizeBytes === size || (await deps.db.q.$count(p, same)) === 0) continue
      if (options.repair)
        await deps.db.write(async (tx) => {
          await tx.q.delete(p).where(same)
        })
      const finding: Finding = {
        check: 'uploads.part',
        severity: 'error',
        message: `part ${n} of upload ${upload_id} is ${stat ? 'damaged' : 'gone'} at ${key}; it must be sent again`,
      }
      yield options.repair ? { ...finding, repaired: true } : finding
    }
}

/** No upload long past its deadline; every stored part's bytes are there. Repair forgets lost parts. */
export const uploadCheck: Check = {
  name: 'uploads',
  async *run(deps, options) {
    yield* checkDeadlines(deps, options)
    yield* checkParts(deps, options)
  },
}
