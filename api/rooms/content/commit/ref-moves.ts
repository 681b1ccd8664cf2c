import { actorId, authorise, policyOf } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { moveRefs, validateBranchOrTag, withFresh, type Snapshot, type Via } from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Repo } from '../../repos/index.ts'
import { requireUnprotected } from '../branch-rules/protection.ts'

/** Who moves refs and how, for `moveRefs`. */
export function moverOf(ctx: Ctx, via: Via): { via: Via; userId?: string } {
  const userId = actorId(ctx.actor)
  return userId === null ? { via } : { via, userId }
}

/**
 * Rewriting the default branch is force-pushing it (native-api.md §3); a user who may write rewrites any other that no rule
 * protects. Problems `forbidden`, `branch-protected`.
 */
export async function requireRewritable(
  ctx: Ctx,
  repo: Repo,
  snapshot: Snapshot,
  branch: string,
): Promise<void> {
  await requireUnprotected(ctx, repo, branch, 'rewrite')
  if (branch !== snapshot.defaultBranch || ctx.config.git.allow_force_push) return
  authorise(ctx.actor, 'repo.force-push', repo, policyOf(ctx.config))
}

/** The commit a new ref starts at; Problem `revision-not-found`. */
export async function startOf(snapshot: Snapshot, revision: string | undefined): Promise<string> {
  const resolved = await snapshot.resolve(revision)
  if (resolved) return resolved.commit
  throw new Problem('revision-not-found', { detail: `Invalid rev id: ${revision ?? 'HEAD'}` })
}

/** Problem `invalid-name` unless a branch or tag may be called so. */
export function checkRefName(name: string, kind: 'branch' | 'tag'): void {
  const fault = validateBranchOrTag(name)
  if (!fault) return
  throw new Problem('invalid-name', {
    detail: `Invalid reference for a ${kind}: it ${fault.message}.`,
    errors: [{ field: 'name', code: fault.code, message: fault.message }],
  })
}

/** The Problem of a ref that is there already. */
export function refExists(ref: string): Problem {
  return new Problem('already-exists', { detail: `Reference ${ref} already exists` })
}

/** Deletes a ref; Problem `revision-not-found` names it as `shown`. */
export async function deleteRef(
  ctx: Ctx,
  repoId: string,
  { ref, shown, via }: { ref: string; shown: string; via: Via },
): Promise<void> {
  await withFresh(ctx.git, repoId, async (snapshot) => {
    const present = snapshot.findRef(ref)
    if (!present) throw new Problem('revision-not-found', { detail: `Invalid rev id: ${shown}` })
    const moves = [{ name: ref, from: present.oid }]
    await moveRefs(ctx.git, { snapshot, moves, ...moverOf(ctx, via) })
  })
}
