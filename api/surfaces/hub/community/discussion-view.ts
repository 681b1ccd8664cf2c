import type { Ctx } from '../../../core/ctx.ts'
import { standingOf, type Discussion, type DiscussionEvent } from '../../../rooms/discussions/index.ts'
import { avatarPath } from '../../../rooms/namespaces/index.ts'
import type { Repo } from '../../../rooms/repos/index.ts'
import { hubId, hubTime } from '../wire/params.ts'
import { escaped } from '../wire/text.ts'

/** What clients are given for an account that is gone: nothing, since they take `null` for an object. */
const authorOf = ({ origin }: Ctx, name: string | null) =>
  name === null ? undefined : { name, avatarUrl: origin.baseUrl + avatarPath(name), type: 'user' }

/** A discussion without its thread (hub-wire.md §9). */
export function hubDiscussion(ctx: Ctx, { ns, name, type }: Repo, discussion: Discussion) {
  return {
    num: discussion.num,
    title: discussion.title,
    status: discussion.pull ? standingOf(discussion.status, discussion.pull) : discussion.status,
    isPullRequest: discussion.pull !== undefined,
    author: authorOf(ctx, discussion.author),
    createdAt: hubTime(discussion.createdAt),
    repo: { name: `${ns}/${name}`, type },
    numComments: discussion.commentCount,
  }
}

/** An entry of a thread. Threads are long, and Node 20 takes 1 µs for each spread: there is none. */
export function hubEvent(ctx: Ctx, event: DiscussionEvent) {
  const createdAt = hubTime(event.createdAt)
  const [type, data] = changeOf(ctx, event, createdAt)
  return { id: hubId(event.id), createdAt, author: authorOf(ctx, event.author), type, data }
}

/** Entries that the public hub does not have. What a review says is in its comments, which it does have. */
const ownTypes = new Set<DiscussionEvent['type']>([
  'thread_change',
  'review',
  'review_request',
  'label_change',
  'assignee_change',
])

/** A thread, as the public hub could have it. */
export const hubEvents = (ctx: Ctx, events: DiscussionEvent[]) =>
  events.filter(({ type }) => !ownTypes.has(type)).map((event) => hubEvent(ctx, event))

function changeOf(ctx: Ctx, event: DiscussionEvent, createdAt: string): [type: string, data: object] {
  const before = event.before ?? undefined
  const after = event.after ?? undefined
  const commit = event.commit ?? undefined
  switch (event.type) {
    case 'comment':
      return ['comment', commentData(ctx, event, createdAt)]
    case 'status_change':
      return ['status-change', { status: after }]
    case 'merge':
      return ['status-change', { status: 'merged', mergeCommitId: commit }]
    case 'title_change':
      return ['title-change', { from: before, to: after }]
    case 'commit':
      return ['commit', { subject: after, oid: commit }]
    default:
      return [event.type, {}]
  }
}

function commentData(ctx: Ctx, event: DiscussionEvent, createdAt: string) {
  const raw = event.body ?? ''
  const by = event.editedAt ? event.editedBy : event.author
  return {
    edited: event.edits > 0,
    hidden: event.hiddenAt !== null,
    latest: {
      raw,
      html: raw === '' ? '' : `<p>${escaped(raw)}</p>`,
      updatedAt: event.editedAt ? hubTime(event.editedAt) : createdAt,
      author: authorOf(ctx, by),
    },
    numEdits: event.edits,
    history: [],
  }
}
