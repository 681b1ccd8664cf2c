import { can, policyOf } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Repo } from '../../repos/index.ts'
import { byteString, compileGlob, matchGlob, OutOfSteps } from '../patterns/glob.ts'
import { findRules, type BranchRule } from './queries.ts'

/** What somebody is about to do to a branch that is there. A merge of a pull request needs approvals at most. */
export type BranchChange = 'commit' | 'rewrite' | 'delete'

/** One pattern on one name, both of at most 255 bytes: far more than any of them takes. */
const MAX_STEPS = 100_000

/** Whether a rule is about the branch of this short name. */
export function isAbout({ pattern }: Pick<BranchRule, 'pattern'>, branch: string): boolean {
  const glob = compileGlob(byteString(pattern))
  if (!glob) return false
  try {
    return matchGlob(glob, byteString(branch), MAX_STEPS) > 0
  } catch (error) {
    // A pattern that cannot be matched in time protects rather than not.
    if (error instanceof OutOfSteps) return true
    throw error
  }
}

/** The rules of a repo for one caller. */
export class Protection {
  readonly #rules: readonly BranchRule[]
  readonly #isAdmin: boolean

  /** Admins of the repo are held to the rules that include them. */
  constructor(rules: readonly BranchRule[], isAdmin: boolean) {
    this.#rules = rules
    this.#isAdmin = isAdmin
  }

  /** Whether a rule keeps the branch from being deleted, for everybody or for those who are no admins. */
  isKept(branch: string): boolean {
    return this.#rules.some((rule) => !rule.allow_deletion && isAbout(rule, branch))
  }

  /** How many people must approve of what the caller merges into the branch. */
  requiredApprovals(branch: string): number {
    const counts = this.#held()
      .filter((rule) => isAbout(rule, branch))
      .map(({ required_approvals }) => required_approvals)
    return Math.max(0, ...counts)
  }

  /** The Problem `branch-protected` where a rule speaks against it; of several rules the strictest counts. */
  refusal(branch: string, change: BranchChange): Problem | undefined {
    for (const rule of this.#held()) {
      const why = isAbout(rule, branch) && reasonOf(rule, branch, change)
      if (why) return new Problem('branch-protected', { detail: why })
    }
    return undefined
  }

  /** The rules that the caller is held to. */
  #held(): readonly BranchRule[] {
    return this.#isAdmin ? this.#rules.filter(({ include_admins }) => include_admins) : this.#rules
  }
}

function reasonOf(rule: BranchRule, branch: string, change: BranchChange): string | undefined {
  const { pattern } = rule
  const by = pattern === branch ? '' : ` (rule "${pattern}")`
  if (change === 'delete')
    return rule.allow_deletion ? undefined : `The branch ${branch} is protected${by}: it cannot be deleted.`
  if (rule.require_pull_request) return `The branch ${branch} is protected${by}: changes need a pull request.`
  if (change === 'rewrite' && !rule.allow_force_push)
    return `The branch ${branch} is protected${by}: its history cannot be rewritten.`
  return undefined
}

/** What holds for the caller; read in a transaction where `reader` is one. */
export async function protectionOf(
  ctx: Ctx,
  repo: Repo,
  reader: Parameters<typeof findRules>[0] = ctx.db,
): Promise<Protection> {
  const rules = await findRules(reader, repo.id)
  return new Protection(rules, can(ctx.actor, 'repo.settings', repo, policyOf(ctx.config)))
}

/**
 * Throws `branch-protected` where a rule of the repo speaks against a change of the branch. One that is not there is left
 * to what looks for it: the first commit of an empty repo has nothing that a pull request could be opened on.
 */
export async function requireUnprotected(
  ctx: Ctx,
  repo: Repo,
  branch: string,
  change: BranchChange,
): Promise<void> {
  const refusal = (await protectionOf(ctx, repo)).refusal(branch, change)
  if (!refusal) return
  const snapshot = await ctx.git.open(repo.id)
  if (snapshot.findRef(`refs/heads/${branch}`)) throw refusal
}
