import { and, eq } from 'drizzle-orm'
import type { Check, CheckOptions, Finding } from '../check.ts'
import type { Deps } from '../ctx.ts'
import type { Snapshot } from '../git/index.ts'
import { Problem } from '../problems/index.ts'
import { listAllRepos, type Repo } from '../repos/index.ts'
import { factsOfHead, type HeadFacts } from './head-facts.ts'
import { setHeadFacts } from './queries.ts'

/** A Repo that moves while it is counted is counted again; one that moves on and on is left to the next run. */
const MAX_ATTEMPTS = 3

/** What the default branch's head holds is what the Repo's row says of it. Repair counts it anew, with its card. */
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
    if (written.bytes === facts.bytes && written.files === facts.files) return
    if (repair && !(await write(deps, snapshot, facts))) continue
    const message = `the head has ${facts.files} files of ${facts.bytes} bytes, the Repo's row says ${written.files} of ${written.bytes}`
    return yield { ...finding, message, ...(repair ? { repaired: true } : {}) }
  }
}

async function count(repo: Repo, snapshot: Snapshot): Promise<HeadFacts | 'unreadable'> {
  const head = snapshot.findRef(`refs/heads/${snapshot.defaultBranch}`)
  if (!head) return { bytes: 0, files: 0, since: 'nothing' }
  try {
    return await factsOfHead(repo.type, snapshot, head.commit)
  } catch (error) {
    // A store that is merely out of reach says nothing about the Repo.
    if (error instanceof Problem && error.code === 'internal') return 'unreadable'
    throw error
  }
}

/** The row still belongs to what was counted. */
function isAsSeen({ t: { repos } }: Pick<Deps['db'], 't'>, snapshot: Snapshot) {
  return and(
    eq(repos.id, snapshot.repoId),
    eq(repos.ref_seq, snapshot.refSeq),
    eq(repos.default_branch, snapshot.defaultBranch),
  )
}

async function readWritten({ db }: Deps, snapshot: Snapshot) {
  const { repos } = db.t
  const [row] = await db.q
    .select({ bytes: repos.head_bytes, files: repos.head_files })
    .from(repos)
    .where(isAsSeen(db, snapshot))
  return row
}

async function write({ db }: Deps, snapshot: Snapshot, facts: HeadFacts): Promise<boolean> {
  return db.write(async (tx) => {
    const { repos } = tx.t
    const held = await tx.q
      .update(repos)
      .set({ ref_seq: snapshot.refSeq })
      .where(isAsSeen(tx, snapshot))
      .returning({ id: repos.id })
    if (held.length === 0) return false
    await setHeadFacts(tx, snapshot.repoId, facts)
    return true
  })
}
