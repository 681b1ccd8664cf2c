import { eq } from 'drizzle-orm'
import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../../core/ctx.ts'
import type { RunningJob } from '../../../core/jobs/index.ts'
import { findRepo } from '../../repos/index.ts'
import type { MirrorRow } from '../queries.ts'
import { queuePull, type PullInput } from './ticket.ts'

/** A tree of dependencies that is longer is a mistake, or made on purpose. */
const MAX_CHILDREN = 50
const INDEX_WAIT_MS = 60_000
const LOOK_EVERY_MS = 500

/**
 * Queues pulls of what a mirror depends on: code that its configuration names, and base models where that was asked for.
 * What is here already is left alone, so that circles end. Answers what did not come, in words.
 */
export async function queueDependencies(
  asker: Ctx,
  input: PullInput,
  mirror: MirrorRow,
  job: RunningJob,
): Promise<string[]> {
  const { dependencies } = asker.config.pull
  const wantsCode = input.dependencies.code && dependencies.auto_pull_code
  const wantsBases = input.dependencies.base_models || dependencies.auto_pull_base_models
  if (!wantsCode && !wantsBases) return []
  if (!(await isIndexed(asker, mirror.repo_id, job)))
    return ['The files were not read in time, so that dependencies are not known. Pull again to fetch them.']
  const { q, t } = asker.db
  const { repo_dependencies: d } = t
  const needs = await q.select().from(d).where(eq(d.repo_id, mirror.repo_id))
  const warnings: string[] = []
  for (const { kind, type, target, revision } of needs.slice(0, MAX_CHILDREN)) {
    const isCode = kind === 'code'
    if (isCode ? !wantsCode : !wantsBases || !['base_model', 'adapter_base'].includes(kind)) continue
    const [ns = '', name = ''] = target.split('/')
    if (name === '') warnings.push(`${target} has no namespace; pull it by its full name.`)
    else if ((await findRepo(asker, { type, ns, name })).live) continue
    else if (input.depth >= dependencies.max_depth)
      warnings.push(
        `${target} was not pulled: it is ${dependencies.max_depth} steps away (pull.dependencies.max_depth).`,
      )
    else {
      const child: PullInput = {
        upstream: input.upstream,
        type,
        name: target,
        revision: revision ?? 'main',
        selection: isCode ? {} : { all: true },
        ...(input.target_ns === undefined ? {} : { target_ns: input.target_ns }),
        tracking: input.tracking,
        history: 'shallow',
        user_id: input.user_id,
        dependencies: {
          code: true,
          base_models: !isCode && input.dependencies.base_models,
        },
        depth: input.depth + 1,
      }
      await job.write((tx) => queuePull(tx, asker, child, { parentId: job.id }))
    }
  }
  return warnings
}

/** Waits until the files of the head have been read, which another job does. */
async function isIndexed({ db }: Ctx, repoId: string, job: RunningJob): Promise<boolean> {
  const { repo_heads: h } = db.t
  const until = performance.now() + INDEX_WAIT_MS
  while (performance.now() < until) {
    const [row] = await db.q.select({ status: h.index_status }).from(h).where(eq(h.repo_id, repoId))
    if (row?.status !== 'pending') return true
    await pause(LOOK_EVERY_MS, undefined, { signal: job.signal })
  }
  return false
}
