import type { Ctx } from '../../../core/ctx.ts'
import { createTag as tagInGit, withFresh, type Via } from '../../../core/git/index.ts'
import { authorOf, requireRepo, type RepoAddress } from '../../repos/index.ts'
import { checkRefName, deleteRef, refExists, startOf } from '../commit/ref-moves.ts'
import { requireRef, type ListedRef } from './refs.ts'

export interface NewTag {
  name: string
  /** The default branch when left out. */
  revision?: string
  /** Makes it an annotated tag. */
  message?: string
  via: Via
}

/** Makes a tag. Problems `revision-not-found` (before the name is looked at), `invalid-name`, `already-exists`. */
export async function createTag(ctx: Ctx, address: RepoAddress, tag: NewTag): Promise<ListedRef> {
  const repo = await requireRepo(ctx, address, 'repo.commit')
  const ref = `refs/tags/${tag.name}`
  await withFresh(ctx.git, repo.id, async (snapshot) => {
    const target = await startOf(snapshot, tag.revision)
    checkRefName(tag.name, 'tag')
    if (snapshot.findRef(ref)) throw refExists(ref)
    await tagInGit(ctx.git, snapshot, {
      name: tag.name,
      commit: target,
      tagger: await authorOf(ctx),
      via: tag.via,
      ...(tag.message === undefined ? {} : { message: tag.message }),
      ...(ctx.actor.kind === 'user' ? { userId: ctx.actor.id } : {}),
    })
  })
  return requireRef(ctx, repo, ref)
}

/** Deletes a tag. Problem `revision-not-found`. */
export async function deleteTag(ctx: Ctx, address: RepoAddress, name: string, via: Via): Promise<void> {
  const repo = await requireRepo(ctx, address, 'repo.commit')
  await deleteRef(ctx, repo.id, { ref: `refs/tags/${name}`, shown: name, via })
}
