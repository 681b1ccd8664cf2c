import { and, asc, eq, gt, inArray, or } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import { defineJob, type JobTicket } from '../../../core/jobs/index.ts'
import { inBatches } from '../../../stores/db/index.ts'
import { scanUnlessGone } from '../job/jobs.ts'
import type { ScanJob } from '../job/repo-scan.ts'
import { REJUDGE, ruleKey } from './apply.ts'
import { rejudgeRows, type JudgedRow } from './rejudge-rows.ts'

const Input = z.strictObject({ module: z.string(), name: z.string() })

/** What it takes to queue it. */
export const scanRejudgeTicket: JobTicket<z.output<typeof Input>> = {
  kind: REJUDGE,
  maxAttempts: 5,
  title: ({ module, name }) => `Judge files again that import ${module}.${name}`,
}

/** Results that are read together: at most half a megabyte each. */
const PAGE = 50

/**
 * Judges what was found in files again after a rule for an import has changed, and counts the files of the repos that hold
 * them. No file is read. May be repeated: it does not matter what an earlier run has done.
 */
export const scanRejudge = defineJob({
  ...scanRejudgeTicket,
  input: Input,
  async run(ctx, given, job) {
    const contents = await rejudge(ctx, ruleKey(given), job)
    const holders = await holdersOf(ctx, contents)
    const quiet: ScanJob = { write: (change) => job.write(change), progress: async () => undefined }
    for (const [done, id] of holders.entries()) {
      await scanUnlessGone(ctx, id, quiet, { isAgain: true })
      await job.progress(done + 1, holders.length)
    }
    return { files: contents.length, repos: holders.length }
  },
})

/** Judges every result again that has the import; answers their contents. */
async function rejudge(ctx: Ctx, key: string, job: Pick<ScanJob, 'write'>): Promise<string[]> {
  const contents: string[] = []
  for await (const rows of pagesOf(ctx)) {
    const having = rows.filter(({ imports }) => imports.some((one) => ruleKey(one) === key))
    contents.push(...having.map(({ content }) => content))
    if (having.length > 0) await job.write((tx) => rejudgeRows(tx, ctx.db, having))
  }
  return [...new Set(contents)]
}

async function* pagesOf({ db: { q, t }, signal }: Ctx): AsyncGenerator<JudgedRow[]> {
  const { scan_results: r } = t
  for (let after: JudgedRow | undefined; ;) {
    signal.throwIfAborted()
    const isBehind =
      after &&
      or(gt(r.content, after.content), and(eq(r.content, after.content), gt(r.reading, after.reading)))
    const rows: JudgedRow[] = await q
      .select({
        content: r.content,
        reading: r.reading,
        version: r.version,
        status: r.status,
        imports: r.imports,
        problems: r.problems,
      })
      .from(r)
      .where(and(eq(r.checked, true), isBehind))
      .orderBy(asc(r.content), asc(r.reading))
      .limit(PAGE)
    after = rows.at(-1)
    if (!after) return
    yield rows
  }
}

/** The repos that hold any of the contents. */
async function holdersOf({ db: { q, t } }: Ctx, contents: readonly string[]): Promise<string[]> {
  const { scan_uses: u } = t
  const rows = await inBatches(contents, (some) =>
    q.selectDistinct({ id: u.repo_id }).from(u).where(inArray(u.content, some)),
  )
  return [...new Set(rows.map(({ id }) => id))]
}
