import { can, policyOf } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import {
  validateBranchOrTag,
  type Incoming,
  type Peeled,
  type PushCommand,
  type Snapshot,
} from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Repo } from '../../repos/index.ts'
import type { Protection } from '../branch-rules/protection.ts'
import { notForwardLines } from './messages.ts'
import type { Verdicts } from './verdicts.ts'

/** Rows that go with the move of a pull request's ref; `sha` is its new head. */
export type PullRows = (tx: Tx, head: { sha: string; subject: string }) => Promise<void>

/** How pull requests take pushes. */
export interface PullRequestPushes {
  /** Throws the Problem that says why the caller may not push to this one. */
  requirePushable(ctx: Ctx, repo: Repo, num: number): Promise<PullRows>
}

const pullRef = /^refs\/pr\/([1-9]\d{0,9})$/

/** What can be said of each command before any object has come; answers the rows of pull requests, by ref. */
export async function judgeCommands(
  ctx: Ctx,
  repo: Repo,
  snapshot: Snapshot,
  {
    verdicts,
    commands,
    protection,
    pulls,
  }: { verdicts: Verdicts; commands: PushCommand[]; protection: Protection; pulls?: PullRequestPushes },
): Promise<Map<string, PullRows>> {
  const rows = new Map<string, PullRows>()
  const seen = new Set<string>()
  for (const command of commands) {
    const { ref } = command
    if (seen.has(ref)) verdicts.refuse(ref, 'named more than once')
    seen.add(ref)
    const num = pullRef.exec(ref)?.[1]
    if (num !== undefined && pulls && command.new !== undefined)
      await pulls.requirePushable(ctx, repo, Number(num)).then(
        (found) => rows.set(ref, found),
        (error: unknown) => verdicts.refuse(ref, refusalOf(error)),
      )
    else {
      const refusal = refusalOfBranch(ctx, repo, command) ?? protectedBy(protection, command)
      if (refusal !== undefined) verdicts.refuse(ref, refusal)
    }
    if (command.new === undefined && ref === `refs/heads/${snapshot.defaultBranch}`)
      verdicts.refuse(ref, 'the default branch cannot be deleted')
    if (snapshot.findRef(ref)?.oid !== command.old) verdicts.refuse(ref, 'stale info')
  }
  return rows
}

/** A Problem in the words of a refusal; anything else is thrown on. */
export function refusalOf(error: unknown): string {
  if (error instanceof Problem && error.status < 500) return error.detail ?? error.title
  throw error
}

function refusalOfBranch(ctx: Ctx, repo: Repo, { ref, old }: PushCommand): string | undefined {
  const name = /^refs\/(?:heads|tags)\/(.*)$/.exec(ref)?.[1]
  if (name === undefined) return 'not writable'
  if (!can(ctx.actor, 'repo.commit', repo, policyOf(ctx.config))) return 'you may not write to this repo'
  const fault = old === undefined ? validateBranchOrTag(name) : undefined
  return fault && `the name ${fault.message}`
}

/** What rules of branches say before it is known whether the history is rewritten. */
function protectedBy(protection: Protection, { ref, old, new: tip }: PushCommand): string | undefined {
  const branch = branchOf(ref)
  if (branch === undefined || old === undefined) return undefined
  return protection.refusal(branch, tip === undefined ? 'delete' : 'commit')?.detail
}

const branchOf = (ref: string) => /^refs\/heads\/(.*)$/.exec(ref)?.[1]

/** What can be said of each tip once its objects are here. */
export async function judgeTips(
  ctx: Ctx,
  repo: Repo,
  snapshot: Snapshot,
  { verdicts, incoming, protection }: { verdicts: Verdicts; incoming: Incoming; protection: Protection },
): Promise<Map<string, Peeled>> {
  const tips = verdicts.accepted.flatMap((command) => command.new ?? [])
  const peeled = await incoming.peel([...new Set(tips)])
  const mayForce =
    ctx.config.git.allow_force_push || can(ctx.actor, 'repo.force-push', repo, policyOf(ctx.config))
  for (const { ref, old, new: tip } of verdicts.accepted) {
    if (tip === undefined) continue
    const found = peeled.get(tip)
    if (!found) verdicts.refuse(ref, 'missing necessary objects')
    else if (found.commit === undefined) verdicts.refuse(ref, 'it must lead to a commit')
    else if (found.type !== 'commit' && !ref.startsWith('refs/tags/'))
      verdicts.refuse(ref, 'a branch must be a commit')
    else if (old !== undefined) {
      const rule = protection.refusal(branchOf(ref) ?? '', 'rewrite')?.detail
      const isHeld = !mayForce && ref === `refs/heads/${snapshot.defaultBranch}`
      if ((!isHeld && rule === undefined) || (await incoming.isAncestor(old, tip))) continue
      if (isHeld) verdicts.refuse(ref, 'non-fast-forward', notForwardLines(snapshot.defaultBranch))
      else if (rule !== undefined) verdicts.refuse(ref, rule)
    }
  }
  return peeled
}
