import { suggestionsIn } from '../../../../shared/suggestions.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Via } from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { CommitOutcome } from '../../content/index.ts'
import { personOf, type RepoAddress } from '../../repos/index.ts'
import { commitToPull, requirePullToCommit, type PullToCommit } from '../commit.ts'
import type { DiscussionEvent } from '../event-queries.ts'
import { requireComment, type CommentAddress } from '../require-comment.ts'
import { replaceLines } from './replace-lines.ts'
import { markThread } from './thread.ts'

export interface SuggestionCommit {
  /** The head of the pull request that the caller has seen, 40-hex. */
  head: string
  /** Which one of the comment, from 1. */
  number: number
  title: string | undefined
  body: string | undefined
  via: Via
}

/** As much as a diff shows; only files that it shows have comments on their lines. */
const MAX_BYTES = 1024 * 1024

/**
 * Commits what a review comment suggests to its pull request, and resolves its thread. For those who may commit there.
 * Problems `not-found`, `commit-conflict` for another head, `state-conflict` when there is no such suggestion, when its
 * file is another one by now, or holds it already, and those of `commit`.
 */
export async function commitSuggestion(
  ctx: Ctx,
  address: RepoAddress,
  at: CommentAddress,
  wanted: SuggestionCommit,
): Promise<CommitOutcome> {
  const target = await requirePullToCommit(ctx, address, at.num)
  const { found: said } = await requireComment(ctx.db, target.repo, at)
  const { place, lines } = suggested(said, wanted.number)
  const { content, mode } = await fileOf(ctx, target, said, wanted.head)
  const title = wanted.title?.trim() || `Apply a suggestion to ${place.path}`
  const made = await commitToPull(
    ctx,
    target,
    {
      title,
      body: await bodyOf(ctx, wanted.body, said),
      parentCommit: wanted.head,
      operations: [{ op: 'add', path: place.path, content: replaceLines(content, place, lines), mode }],
      via: wanted.via,
    },
    async (tx) => {
      const { discussion, found: now } = await requireComment(tx, target.repo, at)
      if (now.hiddenAt || now.body !== said.body)
        throw new Problem('state-conflict', { detail: 'The comment has been changed meanwhile.' })
      await markThread(tx, ctx, { discussion, first: now.threadId ?? now.id }, true)
    },
  )
  if (!made.changed)
    throw new Problem('state-conflict', { detail: 'The file holds what is suggested already.' })
  return made
}

/** The lines that a comment suggests, and where. */
function suggested(said: DiscussionEvent, number: number) {
  if (said.hiddenAt) throw new Problem('state-conflict', { detail: 'A hidden comment suggests nothing.' })
  const { path, side, line, startLine } = said
  const lines = suggestionsIn(said.body ?? '')[number - 1]
  if (path === null || line === null || side !== 'new' || !lines)
    throw new Problem('state-conflict', { detail: 'The comment suggests no change of lines as they become.' })
  return { lines, place: { path, first: startLine ?? line, last: line } }
}

/** The commented file at the head, which is still the one that was commented on. */
async function fileOf(
  ctx: Ctx,
  { repo, found: { pull } }: PullToCommit,
  { path, fileOid }: DiscussionEvent,
  seen: string,
) {
  const snapshot = await ctx.git.open(repo.id)
  const head = snapshot.findRef(pull.ref)?.commit
  if (head !== seen)
    throw new Problem('commit-conflict', {
      detail: 'The pull request has new commits since you read it. Look at it again.',
      members: { current_commit: head ?? null },
    })
  const entry = await snapshot.entryAt(head, path ?? '')
  if (entry?.oid !== fileOid)
    throw new Problem('state-conflict', { detail: 'The file has changed since the suggestion was made.' })
  // The diff showed its lines, so it is a text; a link is not replaced line by line.
  if (entry.kind !== 'file') throw new Problem('state-conflict', { detail: 'It is no file.' })
  const content = await snapshot.readBlob(entry.oid, MAX_BYTES)
  if (!content) throw new Error(`blob ${entry.oid} is gone`)
  return { content, mode: entry.mode }
}

/** The rest of the message; it names who made the suggestion, unless that is who commits it or the account is gone. */
async function bodyOf(ctx: Ctx, body = '', { authorId, author }: DiscussionEvent): Promise<string> {
  const isOwn = ctx.actor.kind === 'user' && ctx.actor.id === authorId
  if (authorId === null || author === null || isOwn) return body
  const { name, email } = await personOf(ctx, { id: authorId, username: author })
  const trailer = `Co-authored-by: ${name.replaceAll(/[<>\r\n]/g, ' ').trim()} <${email}>`
  return [body.trim(), trailer].filter((part) => part !== '').join('\n\n')
}
