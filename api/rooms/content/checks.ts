import { and, eq } from 'drizzle-orm'
import type { Check, CheckOptions, Finding } from '../../core/check.ts'
import type { Deps } from '../../core/ctx.ts'
import { holdRefs, StaleSnapshot, type Snapshot } from '../../core/git/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { listAllRepos, recordHead, type HeadRecord, type Repo } from '../repos/index.ts'
import { factsOfHead } from './head/facts.ts'

/** A repo that moves while it is counted is counted again; one that moves on and on is left to the next run. */
const MAX_ATTEMPTS = 3

/** What the default branch's head holds is what the repo's row says of it. Repair counts it again, with its card. */
export const headCheck: Check = {
  name: 'content',
  async *run(deps, options) {
    for await (const repo of listAllRepos(deps.db))
      if (options.repoId === undefined || options.repoId === repo.id) yield* checkRepo(deps, options, repo)
  },
}

async function* checkRepo(deps: Deps, { repair }: CheckOptions, repo: Repo): AsyncGenerator<Finding> {
  const finding = { check: 'content.head', severity: 'error', repo_id: repo.id } as const
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const snapshot = await deps.git.openFresh(repo.id)
    const facts = await count(repo, snapshot)
    if (facts === 'unreadable')
      return yield { ...finding, message: 'the head of the default branch cannot be read' }
    const written = await readWritten(deps, snapshot)
    if (!written) continue
    const message = faultOf(written, facts)
    if (message === undefined) return
    if (repair && !(await write(deps, snapshot, facts))) continue
    return yield { ...finding, message, ...(repair ? { repaired: true } : {}) }
  }
}

type Written = NonNullable<Awaited<ReturnType<typeof readWritten>>>

function faultOf(written: Written, facts: HeadRecord): string | undefined {
  if (written.bytes !== facts.bytes || written.files !== facts.files)
    return `the head has ${facts.files} files of ${facts.bytes} bytes, the repo's row says ${written.files} of ${written.bytes}`
  const isSearched = written.textOf !== null
  if (isSearched && facts.card && written.readme !== facts.card.search.readme)
    return 'searches find another card than that of the head'
  return undefined
}

async function count(repo: Repo, snapshot: Snapshot): Promise<HeadRecord | 'unreadable'> {
  const head = snapshot.findRef(`refs/heads/${snapshot.defaultBranch}`)
  if (!head) return { bytes: 0, files: 0, since: 'nothing' }
  try {
    return await factsOfHead(snapshot, head.commit)
  } catch (error) {
    // A store that is merely out of reach says nothing about the repo.
    if (error instanceof Problem && error.code === 'internal') return 'unreadable'
    throw error
  }
}

/** What is recorded; `undefined` where the repo has moved since the snapshot. */
async function readWritten({ db: { q, t } }: Deps, { repoId, refSeq, defaultBranch }: Snapshot) {
  const { repos, repo_heads: heads, git_repos, card_texts: texts } = t
  const [row] = await q
    .select({ bytes: heads.bytes, files: heads.files, textOf: texts.repo_id, readme: texts.readme })
    .from(repos)
    .innerJoin(heads, eq(heads.repo_id, repos.id))
    .leftJoin(texts, eq(texts.repo_id, repos.id))
    .innerJoin(git_repos, eq(git_repos.repo_id, repos.id))
    .where(and(eq(repos.id, repoId), eq(git_repos.ref_seq, refSeq), eq(repos.default_branch, defaultBranch)))
  return row
}

/** `false` where the repo has moved since the snapshot. */
async function write({ db }: Deps, snapshot: Snapshot, facts: HeadRecord): Promise<boolean> {
  try {
    return await db.write(async (tx) => {
      const isRecorded = await recordHead(tx, snapshot, facts)
      if (isRecorded && !(await holdRefs(tx, snapshot))) throw new StaleSnapshot()
      return isRecorded
    })
  } catch (error) {
    if (error instanceof StaleSnapshot) return false
    throw error
  }
}
