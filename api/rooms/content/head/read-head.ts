import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { recordHead, type Repo, type WriteHead } from '../../repos/index.ts'
import { factsOfHead } from './facts.ts'

/** Counts a branch's head again, for when it becomes the default one; `undefined` without such a branch. */
export async function readHead(
  ctx: Pick<Ctx, 'git'>,
  repo: Pick<Repo, 'id'>,
  branch: string,
): Promise<WriteHead | undefined> {
  const snapshot = await ctx.git.openFresh(repo.id)
  const ref = snapshot.findRef(`refs/heads/${branch}`)
  if (!ref) return undefined
  const facts = await factsOfHead(snapshot, ref.commit)
  return async (tx) => {
    if (!(await isAt(tx, repo.id, ref))) return false
    return recordHead(tx, { repoId: repo.id, defaultBranch: snapshot.defaultBranch }, facts)
  }
}

async function isAt(
  { q, t: { git_refs } }: Tx,
  repoId: string,
  { name, oid }: { name: string; oid: string },
): Promise<boolean> {
  const isIt = and(
    eq(git_refs.repo_id, repoId),
    eq(git_refs.name, name),
    eq(git_refs.oid, Buffer.from(oid, 'hex')),
  )
  return (await q.$count(git_refs, isIt)) > 0
}
