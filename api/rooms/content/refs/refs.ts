import type { Ctx } from '../../../core/ctx.ts'
import { isHiddenRef, type Ref, type Snapshot } from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepo, type Repo, type RepoAddress } from '../../repos/index.ts'
import { protectionOf, type Protection } from '../branch-rules/protection.ts'

/** A ref as lists show it. */
export interface ListedRef extends Ref {
  /** Of an annotated tag. */
  message?: string
  isDefault: boolean
  /** It cannot be deleted: the default branch, or one that a rule protects. */
  isProtected: boolean
  /** The caller changes it by pull requests alone. */
  isPullRequestOnly: boolean
}

/** A ref's name as people write it: without `refs/heads/` and the like. */
export const shortName = ({ name }: Pick<Ref, 'name'>): string => name.split('/').slice(2).join('/')

/** Every ref that people see, by name. */
export async function listRefs(ctx: Ctx, address: RepoAddress): Promise<ListedRef[]> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const snapshot = await ctx.git.open(repo.id, ctx)
  const protection = await protectionOf(ctx, repo)
  return Promise.all(
    snapshot
      .listRefs()
      .filter(({ name }) => !isHiddenRef(name))
      .map((ref) => listed(snapshot, ref, protection)),
  )
}

/** The ref of this full name; Problem `revision-not-found`. */
export async function requireRef(ctx: Ctx, repo: Repo, name: string): Promise<ListedRef> {
  const snapshot = await ctx.git.open(repo.id, ctx)
  const ref = snapshot.findRef(name)
  if (!ref) throw new Problem('revision-not-found', { detail: `Invalid rev id: ${name}` })
  return listed(snapshot, ref, await protectionOf(ctx, repo))
}

async function listed(snapshot: Snapshot, ref: Ref, protection: Protection): Promise<ListedRef> {
  const message = ref.oid === ref.commit ? undefined : await snapshot.findTagMessage(ref.oid)
  const isDefault = ref.name === `refs/heads/${snapshot.defaultBranch}`
  const branch = ref.name.startsWith('refs/heads/') ? shortName(ref) : undefined
  const isProtected = isDefault || (branch !== undefined && protection.isKept(branch))
  const isPullRequestOnly = branch !== undefined && protection.refusal(branch, 'commit') !== undefined
  return {
    ...ref,
    isDefault,
    isProtected,
    isPullRequestOnly,
    ...(message === undefined ? {} : { message: message.trimEnd() }),
  }
}
