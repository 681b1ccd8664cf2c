import type { Ctx } from '../ctx.ts'
import type { Discussion, DiscussionEvent } from '../discussions/index.ts'
import { avatarPath } from '../namespaces/index.ts'
import type { Repo } from '../repos/index.ts'
import { hubId, hubTime } from './params.ts'
import { escaped } from './text.ts'

/** What clients are given for an account that is gone: nothing, since they take `null` for an object. */
const authorOf = ({ origin }: Ctx, name: string | null) =>
  name === null ? {} : { author: { name, avatarUrl: origin.baseUrl + avatarPath(name), type: 'user' } }

/** A merged pull request is closed, and says so itself. */
const statusOf = ({ status, pull }: Discussion): string => (pull?.merged ? 'merged' : status)

/** A discussion without its thread (hub-wire.md §9). */
export function hubDiscussion(ctx: Ctx, { ns, name, type }: Repo, discussion: Discussion) {
  return {
    num: discussion.num,
    title: discussion.title,
    status: statusOf(discussion),
    isPullRequest: discussion.pull !== undefined,
    ...authorOf(ctx, discussion.author),
    createdAt: hubTime(discussion.createdAt),
    repo: { name: `${ns}/${name}`, type },
    numComments: discussion.commentCount,
  }
}

/** An entry of a thread. */
export function hubEvent(ctx: Ctx, event: DiscussionEvent) {
  const common = { id: hubId(event.id), createdAt: hubTime(event.createdAt), ...authorOf(ctx, event.author) }
  const { before, after, commit } = event
  switch (event.type) {
    case 'comment':
      return { ...common, type: 'comment', data: commentData(ctx, event) }
    case 'status_change':
      return { ...common, type: 'status-change', data: { status: after } }
    case 'merge':
      return { ...common, type: 'status-change', data: { status: 'merged', mergeCommitId: commit } }
    case 'title_change':
      return { ...common, type: 'title-change', data: { from: before, to: after } }
    case 'commit':
      return { ...common, type: 'commit', data: { subject: after, oid: commit } }
    default:
      return { ...common, type: event.type, data: {} }
  }
}

function commentData(ctx: Ctx, event: DiscussionEvent) {
  const raw = event.body ?? ''
  const by = event.editedAt ? event.editedBy : event.author
  return {
    edited: event.edits > 0,
    hidden: event.isHidden,
    latest: {
      raw,
      html: raw === '' ? '' : `<p>${escaped(raw)}</p>`,
      updatedAt: hubTime(event.editedAt ?? event.createdAt),
      ...authorOf(ctx, by),
    },
    numEdits: event.edits,
    history: [],
  }
}
