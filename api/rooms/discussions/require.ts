import { authorise, policyOf, type RepoAction } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { invalidField, Problem } from '../../platform/problems/index.ts'
import { requireRepo, requireRepoToChange, type Repo, type RepoAddress } from '../repos/index.ts'
import { limits } from '../../../shared/vocabulary.ts'
import { findDiscussion, type Discussion, type PullRequest, type Reader } from './queries.ts'

/** A discussion that has a branch to go to. */
export type PullRequestDiscussion = Discussion & { pull: PullRequest }

/** The repo itself; Problem `discussions-disabled` where its admins do not let people discuss. */
export function refuseDisabled(repo: Repo): Repo {
  if (repo.discussionsEnabled) return repo
  throw new Problem('discussions-disabled', { detail: 'Discussions are disabled for this repo' })
}

/** The repo, for a caller who may do `action`, where its admins let people discuss. Problem `discussions-disabled`. */
export async function requireForum(ctx: Ctx, address: RepoAddress, action: RepoAction): Promise<Repo> {
  return refuseDisabled(await requireRepo(ctx, address, action))
}

/** As `requireForum`, inside the transaction that changes something there. */
export async function requireForumToChange(
  tx: Tx,
  ctx: Ctx,
  address: RepoAddress,
  action: RepoAction,
): Promise<Repo> {
  return refuseDisabled(await requireRepoToChange(tx, ctx, address, action))
}

/** The discussion of this number. Problem `not-found`. */
export async function requireDiscussion(reader: Reader, repo: Repo, num: number): Promise<Discussion> {
  const isPossible = Number.isSafeInteger(num) && num > 0 && num < 2 ** 31
  const found = isPossible ? await findDiscussion(reader, repo.id, num) : undefined
  if (!found) throw new Problem('not-found', { detail: `There is no discussion ${num}.` })
  return found
}

/** As `requireDiscussion`, of a pull request; a mere discussion is Problem `state-conflict`. */
export async function requirePullRequest(
  reader: Reader,
  repo: Repo,
  num: number,
): Promise<PullRequestDiscussion> {
  const { pull, ...discussion } = await requireDiscussion(reader, repo, num)
  if (!pull) throw new Problem('state-conflict', { detail: `${num} is a discussion, not a pull request.` })
  return { ...discussion, pull }
}

/** Problem `state-conflict` unless the pull request is open. */
export function requireOpen({ num, status, pull }: Discussion): void {
  if (status === 'open') return
  const state = pull?.merged ? 'has been merged' : 'is closed'
  throw new Problem('state-conflict', { detail: `${num} ${state}.` })
}

/** Problem `forbidden` unless `authorId` is the caller, or the caller has the role that `action` takes. */
export function authoriseAuthor(ctx: Ctx, repo: Repo, authorId: string | null, action: RepoAction): void {
  if (ctx.actor.kind === 'user' && ctx.actor.id === authorId) return
  authorise(ctx.actor, action, repo, policyOf(ctx.config))
}

/** Text that both databases hold. */
function refuseNul(field: string, text: string): void {
  if (text.includes('\0')) throw invalidField(field, 'must not contain NUL')
}

/** A title on one line. Problem `validation-failed`. */
export function titleOf(text: string): string {
  return lineOf('title', text, { most: limits.discussionTitle })
}

/** A text on one line, of at most `most` characters. Problem `validation-failed`. */
export function lineOf(field: string, text: string, { most, mayBeEmpty = false }: LineRule): string {
  const line = text.replace(/\s+/g, ' ').trim()
  refuseNul(field, line)
  if (line === '' && !mayBeEmpty) throw invalidField(field, 'must not be empty', 'empty')
  if (line.length > most) throw invalidField(field, `must be at most ${most} characters`, 'too-long')
  return line
}

interface LineRule {
  most: number
  mayBeEmpty?: boolean
}

/** A comment's Markdown; the first of a thread may be empty. Problem `validation-failed`. */
export function commentOf(text: string, { field = 'body', mayBeEmpty = false } = {}): string {
  refuseNul(field, text)
  if (text.trim() === '' && !mayBeEmpty) throw invalidField(field, 'must not be empty', 'empty')
  if (Buffer.byteLength(text) > limits.commentBytes)
    throw invalidField(field, `must be at most ${limits.commentBytes} bytes`, 'too-long')
  return text
}
