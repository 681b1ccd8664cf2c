import type { Ctx } from '../ctx.ts'
import type { Tx } from '../db/index.ts'
import { compactWhenDue, gitIndex, type PushCommand, type Snapshot } from '../git/index.ts'
import { enqueue } from '../jobs/index.ts'
import { linkPointers, type Pointer } from '../lfs/index.ts'
import type { Repo } from '../repos/index.ts'
import { filesOf } from './commit-pointers.ts'
import { lfsMissing } from './file-problems.ts'
import { factsOfHead } from './head-facts.ts'
import type { PullRows } from './push-rules.ts'
import { setHeadFacts } from './queries.ts'

/** A push whose refs are about to move. */
export interface PushedRefs {
  repo: Repo
  accepted: PushCommand[]
  landed: Snapshot
  /** Refs whose history is read by a Job. */
  later: string[]
  pointers: Map<string, Pointer>
  rows: Map<string, PullRows>
}

/** What goes with the refs: links to large files, facts of the head, pull requests, Jobs. */
export async function rowsOf(
  ctx: Ctx,
  { repo, accepted, landed, later, pointers, rows }: PushedRefs,
): Promise<(tx: Tx) => Promise<void>> {
  const head = accepted.find(({ ref }) => ref === `refs/heads/${landed.defaultBranch}`)?.new
  const facts = head === undefined ? undefined : await factsOfHead(repo.type, landed, head)
  const pulls: ((tx: Tx) => Promise<void>)[] = []
  for (const { ref, new: sha } of accepted) {
    const write = rows.get(ref)
    if (!write || sha === undefined) continue
    const subject = (await landed.findCommit(sha))?.subject ?? ''
    pulls.push((tx) => write(tx, { sha, subject }))
  }
  return async (tx) => {
    const gone = await linkPointers(tx, repo.id, [...pointers.values()], ctx.now())
    if (gone.length > 0) throw lfsMissing(filesOf(pointers, gone))
    if (facts) await setHeadFacts(tx, repo.id, facts)
    for (const write of pulls) await write(tx)
    for (const ref of later) {
      const once = { dedupKey: `${repo.id}/${ref}`, repoId: repo.id, createdBy: null }
      await enqueue(tx, ctx, gitIndex, { repo_id: repo.id, ref }, once)
    }
    await compactWhenDue(tx, ctx, repo.id)
  }
}
