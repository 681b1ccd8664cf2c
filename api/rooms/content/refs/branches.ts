import type { Ctx } from '../../../core/ctx.ts'
import { commit, CommitBuilder, moveRefs, withFresh, type Via } from '../../../core/git/index.ts'
import { authorOf, requireRepo, type RepoAddress } from '../../repos/index.ts'
import { requireUnprotected } from '../branch-rules/protection.ts'
import {
  checkRefName,
  deleteRef,
  moverOf,
  refExists,
  requireRewritable,
  startOf,
} from '../commit/ref-moves.ts'
import { requireRef, type ListedRef } from './refs.ts'

export interface NewBranch {
  name: string
  /** Revision it starts at; the default branch when left out. */
  from?: string
  /** Starts with an empty commit of its own instead. */
  isEmpty?: boolean
  /** Moves a branch that is there already. */
  overwrite?: boolean
  via: Via
}

/** Makes a branch. Problems `revision-not-found` (before the name is looked at), `invalid-name`, `already-exists`. */
export async function createBranch(ctx: Ctx, address: RepoAddress, branch: NewBranch): Promise<ListedRef> {
  const repo = await requireRepo(ctx, address, 'repo.commit')
  const ref = `refs/heads/${branch.name}`
  await withFresh(ctx.git, repo.id, async (snapshot) => {
    const start = branch.isEmpty ? undefined : await startOf(snapshot, branch.from)
    checkRefName(branch.name, 'branch')
    const present = snapshot.findRef(ref)
    if (present && !branch.overwrite) throw refExists(ref)
    if (present) await requireRewritable(ctx, repo, snapshot, branch.name)
    if (start === undefined) await startEmpty(ctx, repo.id, ref, branch.via)
    else if (start !== present?.oid) {
      const from = present && { from: present.oid }
      const moves = [{ name: ref, to: start, ...from }]
      await moveRefs(ctx.git, { snapshot, moves, ...moverOf(ctx, branch.via) })
    }
  })
  return requireRef(ctx, repo, ref)
}

/** A commit without parents and files. */
async function startEmpty(ctx: Ctx, repoId: string, ref: string, via: Via): Promise<void> {
  const builder = new CommitBuilder(ctx.git, repoId)
  try {
    await commit(ctx.git, builder, {
      ref,
      base: null,
      allowEmpty: true,
      author: await authorOf(ctx),
      message: 'initial commit',
      ...moverOf(ctx, via),
    })
  } finally {
    await builder.dispose()
  }
}

/** Deletes a branch. Problems `revision-not-found`, `branch-protected`; `state-conflict` for the default branch. */
export async function deleteBranch(ctx: Ctx, address: RepoAddress, name: string, via: Via): Promise<void> {
  const repo = await requireRepo(ctx, address, 'repo.commit')
  await requireUnprotected(ctx, repo, name, 'delete')
  await deleteRef(ctx, repo.id, { ref: `refs/heads/${name}`, shown: name, via })
}
