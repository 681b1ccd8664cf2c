import type { Ctx } from '../../../core/ctx.ts'
import { isHiddenRef, type Ref, type Snapshot } from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { isAbout } from '../branch-rules/protection.ts'
import { findRules, type BranchRule } from '../branch-rules/queries.ts'

/** A ref as lists show it. */
export interface ListedRef extends Ref {
  /** Of an annotated tag. */
  message?: string
  isDefault: boolean
  /** It cannot be deleted: the default branch, or one that a rule protects. */
  isProtected: boolean
}

/** A ref's name as people write it: without `refs/heads/` and the like. */
export const shortName = ({ name }: Pick<Ref, 'name'>): string => name.split('/').slice(2).join('/')

/** Every ref that people see, by name. */
export async function listRefs(ctx: Ctx, address: RepoAddress): Promise<ListedRef[]> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const snapshot = await ctx.git.open(repo.id, ctx)
  const rules = await findRules(ctx.db, repo.id)
  return Promise.all(
    snapshot
      .listRefs()
      .filter(({ name }) => !isHiddenRef(name))
      .map((ref) => listed(snapshot, ref, rules)),
  )
}

/** The ref of this full name; Problem `revision-not-found`. */
export async function requireRef(ctx: Ctx, repoId: string, name: string): Promise<ListedRef> {
  const snapshot = await ctx.git.open(repoId, ctx)
  const ref = snapshot.findRef(name)
  if (!ref) throw new Problem('revision-not-found', { detail: `Invalid rev id: ${name}` })
  return listed(snapshot, ref, await findRules(ctx.db, repoId))
}

async function listed(snapshot: Snapshot, ref: Ref, rules: readonly BranchRule[]): Promise<ListedRef> {
  const message = ref.oid === ref.commit ? undefined : await snapshot.findTagMessage(ref.oid)
  const isDefault = ref.name === `refs/heads/${snapshot.defaultBranch}`
  const isKept = (rule: BranchRule) => !rule.allow_deletion && isAbout(rule, shortName(ref))
  const isProtected = isDefault || (ref.name.startsWith('refs/heads/') && rules.some(isKept))
  return { ...ref, isDefault, isProtected, ...(message === undefined ? {} : { message: message.trimEnd() }) }
}
