import { actorId, authorise, policyOf } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import type { Repo } from '../repos/index.ts'
import { setAssignees } from './assignees/set.ts'
import { addEvent } from './event-queries.ts'
import { setLabels } from './labels/set.ts'
import { notifyAssigned } from './notifications/notify.ts'
import { setDiscussion, type Discussion } from './queries.ts'
import type { SetChange } from './set-change.ts'

/** Ids of labels and usernames of assignees; what is left out stays. */
interface Wanted {
  labels?: readonly string[] | undefined
  assignees?: readonly string[] | undefined
}

/** Names of labels and assignees, of those that changed. */
interface Names {
  labels?: string[]
  assignees?: string[]
}

/** The marks of a discussion before and after a change, of those that changed. */
export interface MarkChange {
  before: Names
  after: Names
}

/**
 * Sets the labels and the assignees of a discussion, for those who may write to the repo: its author alone may not. The
 * thread says what has changed, and people hear that they are assigned. Answers what changed, if anything. Problems
 * `forbidden`, `validation-failed`.
 */
export async function setMarks(
  tx: Tx,
  ctx: Ctx,
  repo: Repo,
  discussion: Discussion,
  { labels, assignees }: Wanted,
): Promise<MarkChange | undefined> {
  if (!labels && !assignees) return undefined
  authorise(ctx.actor, 'repo.edit-discussions', repo, policyOf(ctx.config))
  const labelled = labels && (await setLabels(tx, discussion, labels))
  if (labelled) await note(tx, ctx, discussion, 'label_change', labelled.change)
  const assigned = assignees && (await setAssignees(tx, ctx, repo, discussion, assignees))
  if (assigned) {
    const entry = await note(tx, ctx, discussion, 'assignee_change', assigned.change)
    await notifyAssigned(tx, entry, assigned.added)
  }
  if (!labelled && !assigned) return undefined
  return {
    before: {
      ...(labelled && { labels: labelled.before }),
      ...(assigned && { assignees: assigned.before }),
    },
    after: {
      ...(labelled && { labels: labelled.after }),
      ...(assigned && { assignees: assigned.after }),
    },
  }
}

/** The entry of the thread that says what has changed. */
async function note(
  tx: Tx,
  ctx: Ctx,
  { id }: Discussion,
  type: 'label_change' | 'assignee_change',
  change: SetChange,
) {
  const createdAt = ctx.now()
  const authorId = actorId(ctx.actor)
  await setDiscussion(tx, id, { updated_at: createdAt })
  const event = { discussion_id: id, type, author_id: authorId, created_at: createdAt, change }
  return { id: await addEvent(tx, event), authorId, createdAt }
}
