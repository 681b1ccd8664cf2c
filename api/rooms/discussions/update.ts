import type { DiscussionStatus } from '../../../shared/vocabulary.ts'
import { actorId } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { invalidField, Problem } from '../../platform/problems/index.ts'
import type { Repo, RepoAddress } from '../repos/index.ts'
import { auditDiscussion } from './audit.ts'
import { addComment, written } from './comment.ts'
import { addEvent, type DiscussionEvent } from './event-queries.ts'
import { publishDiscussion, standingOf } from './publish.ts'
import { setDiscussion, type Discussion } from './queries.ts'
import { authoriseAuthor, commentOf, requireDiscussion, requireForumToChange, titleOf } from './require.ts'
import { setMarks, type MarkChange } from './set-marks.ts'

/** What to change; what is left out stays. */
export interface DiscussionChange {
  title?: string | undefined
  status?: DiscussionStatus | undefined
  /** Of a pull request: whether it is a draft, which an open one alone can be. */
  draft?: boolean | undefined
  /** Said on the occasion. */
  comment?: string | undefined
  /** Ids of its labels and usernames of its assignees, in place of those it has: for those who may write to the repo. */
  labels?: readonly string[] | undefined
  assignees?: readonly string[] | undefined
}

/** What has changed; absent where it was so already. */
export interface Changed {
  repo: Repo
  discussion: Discussion
  retitled?: DiscussionEvent
  moved?: DiscussionEvent
}

/**
 * Retitles, closes or reopens a discussion: for its author, and for all who may write to the repo. These set its labels and
 * assignees, too. Opening a pull request that is a draft marks it as ready, as `draft: false` does. Problems `not-found`,
 * `validation-failed`, and `state-conflict` for opening a merged pull request or making a draft of a closed one.
 */
export async function updateDiscussion(
  ctx: Ctx,
  address: RepoAddress,
  num: number,
  change: DiscussionChange,
): Promise<Changed> {
  const title = change.title === undefined ? undefined : titleOf(change.title)
  const said = change.comment?.trim() ? commentOf(change.comment, { field: 'comment' }) : undefined
  return ctx.db.write(async (tx) => {
    const repo = await requireForumToChange(tx, ctx, address, 'repo.discuss')
    const before = await requireDiscussion(tx, repo, num)
    authoriseAuthor(ctx, repo, before.authorId, 'repo.edit-discussions')
    if (said !== undefined) await addComment(tx, ctx, before, said)
    const retitled = await retitle(tx, ctx, before, title)
    const moved = await setStatus(tx, ctx, before, change, said === undefined)
    const marked = await setMarks(tx, ctx, repo, before, change)
    const isChanged = retitled !== undefined || moved !== undefined || marked !== undefined
    if (isChanged && before.authorId !== actorId(ctx.actor))
      await auditDiscussion(
        tx,
        ctx,
        'discussion.update',
        { repo, discussion: before },
        difference(before, { title, moved }, marked),
      )
    if (isChanged) await publishDiscussion(tx, ctx, { ...before, action: 'update' })
    return {
      repo,
      discussion: await requireDiscussion(tx, repo, num),
      ...(retitled ? { retitled } : {}),
      ...(moved ? { moved } : {}),
    }
  })
}

interface Differences {
  title: string | undefined
  moved: DiscussionEvent | undefined
}

function difference({ title, status }: Discussion, now: Differences, marked?: MarkChange) {
  return {
    before: { title, status: now.moved?.before ?? status, ...marked?.before },
    after: { title: now.title ?? title, status: now.moved?.after ?? status, ...marked?.after },
  }
}

async function retitle(
  tx: Tx,
  ctx: Ctx,
  { id, title: before }: Discussion,
  title: string | undefined,
): Promise<DiscussionEvent | undefined> {
  if (title === undefined || title === before) return undefined
  const now = ctx.now()
  await setDiscussion(tx, id, { title, updated_at: now })
  const by = { discussion_id: id, author_id: actorId(ctx.actor), created_at: now }
  return written(tx, id, await addEvent(tx, { ...by, type: 'title_change', before, after: title }))
}

async function setStatus(
  tx: Tx,
  ctx: Ctx,
  discussion: Discussion,
  change: DiscussionChange,
  isHeard: boolean,
): Promise<DiscussionEvent | undefined> {
  const { id, status, pull } = discussion
  const before = pull ? standingOf(status, pull) : status
  const after = wantedStanding(discussion, change)
  if (after === undefined || after === before) return undefined
  const now = ctx.now()
  // A draft that is closed stays one until it is opened.
  const set =
    after === 'closed' ? { status: after } : { status: 'open' as const, is_draft: after === 'draft' }
  await setDiscussion(tx, id, { ...set, updated_at: now })
  const by = { discussion_id: id, author_id: actorId(ctx.actor), created_at: now }
  const moved = { type: 'status_change', before, after } as const
  return written(tx, id, await addEvent(tx, { ...by, ...moved }, { isHeard }))
}

/** How the discussion is to stand from now on; `undefined` where that is not asked. */
function wantedStanding(
  { num, status: before, pull }: Discussion,
  { status, draft }: DiscussionChange,
): DiscussionStatus | 'draft' | undefined {
  if (draft !== undefined && !pull) throw invalidField('draft', 'is for pull requests')
  if (pull?.merged) {
    if (status !== 'open' && !draft) return undefined
    throw new Problem('state-conflict', { detail: `${num} has been merged and cannot be opened again.` })
  }
  if (draft && (status ?? before) === 'closed')
    throw new Problem('state-conflict', { detail: `${num} is closed: only an open pull request is a draft.` })
  if (draft) return 'draft'
  return status ?? (draft === false && before === 'open' ? 'open' : undefined)
}
