import { and, eq } from 'drizzle-orm'
import { limits } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { newId, type Tx } from '../../../stores/db/index.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'
import { auditRepo, requireRepo, type Repo, type RepoAddress } from '../../repos/index.ts'
import { byteString, compileGlob } from '../patterns/glob.ts'
import { findRules, type BranchRule } from './queries.ts'

/** What a rule says; what is left out of a change stays. */
export interface RuleSettings {
  pattern?: string | undefined
  requirePullRequest?: boolean | undefined
  requiredApprovals?: number | undefined
  allowForcePush?: boolean | undefined
  allowDeletion?: boolean | undefined
  includeAdmins?: boolean | undefined
}

export interface NewRule extends RuleSettings {
  pattern: string
}

/** The rules of a repo, by pattern. Everyone who may read the repo may know why a push of theirs is refused. */
export async function listBranchRules(ctx: Ctx, address: RepoAddress): Promise<BranchRule[]> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  return findRules(ctx.db, repo.id)
}

/**
 * Protects the branches that a pattern matches: without settings they take changes by pull requests alone, and are neither
 * rewritten nor deleted. Problems: `forbidden`, `validation-failed`, `already-exists`, `state-conflict` for one too many.
 */
export async function createBranchRule(ctx: Ctx, address: RepoAddress, wanted: NewRule): Promise<BranchRule> {
  const repo = await requireRepo(ctx, address, 'repo.settings')
  checkPattern(wanted.pattern)
  return ctx.db.write(async (tx) => {
    const present = await findRules(tx, repo.id)
    if (present.length >= limits.branchRules)
      throw new Problem('state-conflict', {
        detail: `A repo has at most ${limits.branchRules} branch rules. Delete one first.`,
      })
    const row: BranchRule = {
      id: newId(),
      repo_id: repo.id,
      pattern: wanted.pattern,
      require_pull_request: wanted.requirePullRequest ?? true,
      required_approvals: wanted.requiredApprovals ?? 0,
      allow_force_push: wanted.allowForcePush ?? false,
      allow_deletion: wanted.allowDeletion ?? false,
      include_admins: wanted.includeAdmins ?? false,
      created_at: ctx.now(),
    }
    const { branch_rules: r } = tx.t
    const made = await tx.q.insert(r).values(row).onConflictDoNothing().returning({ id: r.id })
    if (made.length === 0) throw patternTaken(wanted.pattern)
    await auditRule(tx, ctx, repo, 'create', { after: row })
    return row
  })
}

/** Changes what a rule says. Problems as of `createBranchRule`, and `not-found`. */
export async function updateBranchRule(
  ctx: Ctx,
  address: RepoAddress,
  id: string,
  wanted: RuleSettings,
): Promise<BranchRule> {
  const repo = await requireRepo(ctx, address, 'repo.settings')
  if (wanted.pattern !== undefined) checkPattern(wanted.pattern)
  return ctx.db.write(async (tx) => {
    const before = await requireRule(tx, repo, id)
    const after: BranchRule = {
      ...before,
      pattern: wanted.pattern ?? before.pattern,
      require_pull_request: wanted.requirePullRequest ?? before.require_pull_request,
      required_approvals: wanted.requiredApprovals ?? before.required_approvals,
      allow_force_push: wanted.allowForcePush ?? before.allow_force_push,
      allow_deletion: wanted.allowDeletion ?? before.allow_deletion,
      include_admins: wanted.includeAdmins ?? before.include_admins,
    }
    const others = await findRules(tx, repo.id)
    if (others.some((rule) => rule.id !== id && rule.pattern === after.pattern))
      throw patternTaken(after.pattern)
    await tx.q.update(tx.t.branch_rules).set(after).where(eq(tx.t.branch_rules.id, id))
    await auditRule(tx, ctx, repo, 'update', { before, after })
    return after
  })
}

/** Ends the protection by a rule. Problems `forbidden`, `not-found`. */
export async function deleteBranchRule(ctx: Ctx, address: RepoAddress, id: string): Promise<void> {
  const repo = await requireRepo(ctx, address, 'repo.settings')
  await ctx.db.write(async (tx) => {
    const before = await requireRule(tx, repo, id)
    await tx.q.delete(tx.t.branch_rules).where(eq(tx.t.branch_rules.id, id))
    await auditRule(tx, ctx, repo, 'delete', { before })
  })
}

function checkPattern(pattern: string): void {
  if (!compileGlob(byteString(pattern)))
    throw invalidField(
      'pattern',
      'is no pattern that can match a branch. Use * for any characters',
      'invalid',
    )
}

async function requireRule({ q, t }: Tx, { id: repoId }: Repo, id: string): Promise<BranchRule> {
  const { branch_rules: r } = t
  const [rule] = await q
    .select()
    .from(r)
    .where(and(eq(r.repo_id, repoId), eq(r.id, id)))
  if (!rule) throw new Problem('not-found', { detail: 'There is no such branch rule.' })
  return rule
}

const patternTaken = (pattern: string) =>
  new Problem('already-exists', { detail: `A rule for "${pattern}" exists. Change that one.` })

async function auditRule(
  tx: Tx,
  ctx: Ctx,
  repo: Repo,
  what: 'create' | 'update' | 'delete',
  { before, after }: { before?: BranchRule; after?: BranchRule },
): Promise<void> {
  await auditRepo(tx, ctx, `repo.branch_rule.${what}`, repo, {
    ...(before && { before: said(before) }),
    ...(after && { after: said(after) }),
  })
}

const said = ({ repo_id: _, created_at: __, ...rule }: BranchRule) => rule
