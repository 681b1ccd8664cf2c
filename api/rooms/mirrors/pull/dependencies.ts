import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import type { RunningJob } from '../../../core/jobs/index.ts'
import { findRepo } from '../../repos/index.ts'
import type { MirrorRow } from '../queries.ts'
import { addWarnings, isFull, listTree, MAX_NODES, nodeKey } from './dependency-tree.ts'
import { queuePull, type PullInput } from './ticket.ts'

const INDEX_WAIT_MS = 60_000
const LOOK_EVERY_MS = 500

/** Of a repo that is wanted for its code alone; small files come in any case. */
const CODE_FILES = ['*.py', '*.json', 'README*']

const baseKinds: readonly string[] = ['base_model', 'adapter_base']

/** The tree of pulls that a job belongs to: its root, and the names of the repos from there to this one. */
const placeOf = (input: PullInput, job: Pick<RunningJob, 'id'>) => ({
  root: input.root ?? job.id,
  chain: [...(input.chain ?? []), nodeKey(input)],
})

/**
 * Queues pulls of what a mirror depends on: code that its configuration names, and base models where that was asked for.
 * Levels follow each other, because the queue takes what came first; each repo comes once, and 200 at most. What is here
 * already is left alone. What does not come is noted on the pull that a person asked for, in words, and answered.
 */
export async function queueDependencies(
  asker: Ctx,
  input: PullInput,
  mirror: MirrorRow,
  job: RunningJob,
): Promise<string[]> {
  const { dependencies } = asker.config.pull
  const wantsCode = input.dependencies.code && dependencies.auto_pull_code
  const wantsBases =
    input.dependencies.base_models || (input.depth === 0 && dependencies.auto_pull_base_models)
  if (!wantsCode && !wantsBases) return []
  const { root, chain } = placeOf(input, job)
  if (!(await isIndexed(asker, mirror.repo_id, job))) {
    const late = `The files of ${input.name} were not read in time, so that its dependencies are not known. Pull it again to fetch them.`
    await job.write((tx) => addWarnings(tx, root, [late]))
    return [late]
  }
  const { q, t } = asker.db
  const { repo_dependencies: d } = t
  const needs = await q.select().from(d).where(eq(d.repo_id, mirror.repo_id)).orderBy(d.kind, d.target)
  const warnings: string[] = []
  const wanted: PullInput[] = []
  for (const { kind, type, target, revision } of needs) {
    const isCode = kind === 'code'
    if (isCode ? !wantsCode : !wantsBases || !baseKinds.includes(kind)) continue
    const [ns = '', name = ''] = target.split('/')
    if (name === '') warnings.push(`${target} has no namespace; pull it by its full name.`)
    else if (chain.includes(nodeKey({ type, name: target })))
      warnings.push(`${target} and ${input.name} need each other. Each of them comes once.`)
    else if ((await findRepo(asker, { type, ns, name })).live) continue
    else if (input.depth >= dependencies.max_depth)
      warnings.push(
        `${target} was not pulled: it is ${dependencies.max_depth} steps away (pull.dependencies.max_depth).`,
      )
    else
      wanted.push({
        upstream: input.upstream,
        type,
        name: target,
        revision: revision ?? 'main',
        selection: isCode ? { include: CODE_FILES } : { all: true },
        ...(input.target_ns === undefined ? {} : { target_ns: input.target_ns }),
        tracking: input.tracking,
        history: 'shallow',
        user_id: input.user_id,
        dependencies: { code: true, base_models: !isCode && wantsBases },
        depth: input.depth + 1,
        root,
        chain,
      })
  }
  await job.write(async (tx) => {
    if (warnings.length > 0) await addWarnings(tx, root, warnings)
    if (wanted.length === 0) return
    const tree = await listTree(tx, root)
    for (const child of wanted) {
      if (tree.has(nodeKey(child))) continue
      if (isFull(tree)) {
        const full = `${child.name} was not pulled: this pull has brought ${MAX_NODES} repos already.`
        warnings.push(full)
        await addWarnings(tx, root, [full])
        continue
      }
      await queuePull(tx, asker, child, { parentId: job.id })
      tree.add(nodeKey(child))
    }
  })
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
