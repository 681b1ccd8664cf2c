import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { system } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { RefListener } from '../../core/git/index.ts'
import { defineJob, enqueue, type RunningJob } from '../../core/jobs/index.ts'
import { loadVocabulary } from '../../core/metadata/index.ts'
import { PARSER_VERSION } from '../../core/parsers/index.ts'
import type { Tx } from '../../stores/db/index.ts'
import { openRevision, readSearchText } from '../content/index.ts'
import { findRecordedReadme, findReposById, recordIndex } from '../repos/index.ts'
import { readFindings } from './read-findings.ts'

/** Raise it when the same files lead to other metadata; metadata of an older version is made once more. */
const RULES_VERSION = 4

/** What stored findings are compared with. */
export const INDEX_VERSION = PARSER_VERSION * 1000 + RULES_VERSION

/** What became of the metadata: `moved` leaves it to the job of that move. */
export type IndexOutcome = 'indexed' | 'unchanged' | 'moved' | 'gone'

/** Reads the files at the head of a default branch, for lists and searches. */
export const repoIndex = defineJob({
  kind: 'repo.index',
  maxAttempts: 3,
  input: z.object({ repo_id: z.string() }),
  title: () => 'Read what the files say',
  // A slow store must not keep all workers from other jobs.
  share: 0.5,
  // A commit during a run finds no equal job, and queues its own.
  admitsEqual: true,
  run: async (ctx, { repo_id }, job) => ({ outcome: await indexRepo(ctx, repo_id, job) }),
})

/** Makes the metadata of a repo's head. Idempotent; an older run never takes the place of a newer head. */
export async function indexRepo(
  ctx: Ctx,
  repoId: string,
  job: Pick<RunningJob, 'write'>,
): Promise<IndexOutcome> {
  const repo = (await findReposById(ctx.db, [repoId], '')).get(repoId)
  if (!repo || repo.isDeleted || repo.headCommit === null) return 'gone'
  const revision = await openRevision(ctx, repoId, repo.headCommit)
  if (await isIndexed(ctx, repoId, revision.commit)) return 'unchanged'
  const recorded = await findRecordedReadme(ctx.db, repoId)
  const [findings, search, vocabulary] = await Promise.all([
    readFindings(ctx, { repo, revision }),
    // A move of the head has recorded it, unless a server of an older version made the move.
    readSearchText(revision, recorded),
    loadVocabulary(),
  ])
  const { defaultBranch } = repo
  const record = { commit: revision.commit, version: INDEX_VERSION, findings, search }
  const isRecorded = await job
    .write(async (tx) => {
      // The repo's row comes first; it keeps its refs from moving until the end of the transaction.
      const isDefault = await recordIndex(tx, { repoId, defaultBranch }, record, vocabulary)
      if (isDefault && !(await isHead(tx, repoId, defaultBranch, revision.commit))) throw new Moved()
      return isDefault
    })
    .catch((error: unknown) => {
      if (error instanceof Moved) return false
      throw error
    })
  return isRecorded ? 'indexed' : 'moved'
}

/** Takes the transaction back: what was read is no longer the head. */
class Moved extends Error {}

async function isIndexed({ db: { q, t } }: Ctx, repoId: string, commit: string): Promise<boolean> {
  const { repo_heads: h } = t
  const isIt = and(
    eq(h.repo_id, repoId),
    eq(h.indexed_commit, commit),
    eq(h.index_version, INDEX_VERSION),
    eq(h.index_status, 'ready'),
  )
  return (await q.$count(h, isIt)) > 0
}

async function isHead(
  { q, t: { git_refs } }: Tx,
  repoId: string,
  branch: string,
  commit: string,
): Promise<boolean> {
  const isIt = and(
    eq(git_refs.repo_id, repoId),
    eq(git_refs.name, `refs/heads/${branch}`),
    eq(git_refs.oid, Buffer.from(commit, 'hex')),
  )
  return (await q.$count(git_refs, isIt)) > 0
}

/** Queues the job, once for a repo. */
export async function queueIndex(tx: Tx, deps: Pick<Ctx, 'db' | 'now'>, repoId: string): Promise<void> {
  const options = { dedupKey: repoId, repoId, createdBy: null }
  await enqueue(tx, { ...deps, actor: system }, repoIndex, { repo_id: repoId }, options)
}

/** Has the files of a default branch read when it moves. */
export const indexMoves: RefListener = (deps, { snapshot: { repoId, defaultBranch }, moves }) => {
  const isHead = moves.some(({ name, to }) => name === `refs/heads/${defaultBranch}` && to !== undefined)
  return Promise.resolve(isHead ? { after: (tx) => queueIndex(tx, deps, repoId) } : undefined)
}
