import type { Ctx } from '../ctx.ts'
import { publishMoves } from '../events/index.ts'
import { commit, CommitBuilder, moveRef, withFresh, type Snapshot, type Via } from '../git/index.ts'
import { authorOf, requireRepo, type Repo, type RepoAddress } from '../repos/index.ts'
import { factsOfCommit, factsOfHead, type HeadFacts } from './head-facts.ts'
import { setHeadFacts } from './queries.ts'
import { checkRefName, deleteRef, moveOf, refExists, requireRewritable, startOf } from './ref-moves.ts'
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
    if (present) requireRewritable(ctx, repo, snapshot, branch.name)
    if (start === undefined) await startEmpty(ctx, repo, ref, branch.via)
    else if (start !== present?.oid)
      await point(ctx, repo, snapshot, { ...branch, start, from: present?.oid })
  })
  return requireRef(ctx, repo.id, ref)
}

async function point(
  ctx: Ctx,
  repo: Repo,
  snapshot: Snapshot,
  { name, start, from, via }: { name: string; start: string; from: string | undefined; via: Via },
): Promise<void> {
  const facts = name === snapshot.defaultBranch ? await factsOfHead(repo.type, snapshot, start) : undefined
  const by = from === undefined ? { to: start } : { from, to: start }
  const move = { ...moveOf(ctx, snapshot, `refs/heads/${name}`, via), ...by }
  await ctx.db.write(async (tx) => {
    await moveRef(tx, move)
    await publishMoves(tx, ctx, [move])
    if (facts) await setHeadFacts(tx, repo.id, facts)
  })
}

/** A commit without parents and files. */
async function startEmpty(ctx: Ctx, repo: Repo, ref: string, via: Via): Promise<void> {
  const builder = new CommitBuilder(ctx.git, repo.id)
  let facts: HeadFacts | undefined
  try {
    await commit(ctx.git, builder, {
      ref,
      base: null,
      allowEmpty: true,
      author: await authorOf(ctx),
      message: 'initial commit',
      via,
      ...(ctx.actor.kind === 'user' ? { userId: ctx.actor.id } : {}),
      prepare: async (made, snapshot) => {
        const isDefault = ref === `refs/heads/${snapshot.defaultBranch}`
        facts = isDefault ? await factsOfCommit(repo.type, made, snapshot, () => undefined) : undefined
      },
      alongside: async (tx) => {
        if (facts) await setHeadFacts(tx, repo.id, facts)
      },
    })
  } finally {
    await builder.dispose()
  }
}

/** Deletes a branch. Problems `revision-not-found`; `state-conflict` for the default branch. */
export async function deleteBranch(ctx: Ctx, address: RepoAddress, name: string, via: Via): Promise<void> {
  const repo = await requireRepo(ctx, address, 'repo.commit')
  await deleteRef(ctx, repo.id, { ref: `refs/heads/${name}`, shown: name, via })
}
