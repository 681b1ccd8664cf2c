import { optionalTime, time, type z } from '../http/contract.ts'
import { avatarPath } from '../namespaces/index.ts'
import type { DiscussionEvent } from './event-queries.ts'
import type { MergeState } from './mergeable.ts'
import type { Discussion } from './queries.ts'
import type * as schemas from './schemas.ts'

type View<S extends z.ZodType> = z.output<S>

const authorOf = (username: string | null) =>
  username === null ? {} : { author: { username, avatar_url: avatarPath(username) } }

/** An entry of a thread as the API shows it. */
export function eventView(event: DiscussionEvent): View<typeof schemas.DiscussionEvent> {
  const { type, commit, after } = event
  const edited_at = optionalTime(event.editedAt)
  const isCommit = type === 'commit' || type === 'merge'
  return {
    id: event.id,
    type,
    ...authorOf(event.author),
    created_at: time(event.createdAt),
    ...(edited_at === undefined ? {} : { edited_at, edits: event.edits }),
    ...(event.editedBy === null ? {} : { edited_by: event.editedBy }),
    ...(event.isHidden ? { hidden: true } : {}),
    ...(event.body === undefined ? {} : { body: event.body }),
    ...(event.before === undefined ? {} : { from: event.before }),
    ...(after === undefined || isCommit ? {} : { to: after }),
    ...(commit === undefined
      ? {}
      : { commit: { sha: commit, ...(after === undefined ? {} : { title: after }) } }),
  }
}

/** A discussion as the API shows it, with its thread where that was read. */
export function discussionView(
  discussion: Discussion,
  state: MergeState | undefined,
  events?: DiscussionEvent[],
): View<typeof schemas.Discussion> {
  const { pull } = discussion
  return {
    num: discussion.num,
    kind: discussion.kind,
    status: discussion.status,
    title: discussion.title,
    ...authorOf(discussion.author),
    created_at: time(discussion.createdAt),
    updated_at: time(discussion.updatedAt),
    comment_count: discussion.commentCount,
    ...(pull && state ? { pull_request: pullView(pull, state) } : {}),
    ...(events ? { events: events.map(eventView) } : {}),
  }
}

function pullView(pull: NonNullable<Discussion['pull']>, state: MergeState) {
  const { merged } = pull
  return {
    ref: pull.ref,
    base: pull.baseRef.replace(/^refs\/heads\//, ''),
    head_commit: pull.head,
    ...(merged ? { merged_at: time(merged.at), merge_commit: merged.commit } : {}),
    mergeable: state.mergeable,
    conflicts: state.conflicts,
  }
}
