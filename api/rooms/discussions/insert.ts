import { actorId } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { newId, type Tx } from '../../stores/db/index.ts'
import { keepText } from './keep-text.ts'
import { addEvent } from './event-queries.ts'
import { notifyOfOpened } from './notifications/notify.ts'
import { publishDiscussion } from './publish.ts'

/** A discussion as it comes into being; its texts have been checked, its number drawn. */
interface OpenedRow {
  repoId: string
  num: number
  title: string
  body: string
  /** Of a pull request. Oids are 40-hex. */
  pull?: { baseRef: string; openedOn: string; isDraft: boolean; commit?: PulledCommit }
}

/** A commit of a pull request. */
interface PulledCommit {
  sha: string
  subject: string
}

/** Writes a new discussion with its first comment and, of a pull request made by one, its first commit. */
export async function insertOpened(tx: Tx, ctx: Ctx, opened: OpenedRow): Promise<void> {
  const id = newId()
  const now = ctx.now()
  const author_id = actorId(ctx.actor)
  const { pull } = opened
  await tx.q.insert(tx.t.discussions).values({
    id,
    repo_id: opened.repoId,
    num: opened.num,
    kind: pull ? 'pull_request' : 'discussion',
    status: 'open',
    title: opened.title,
    author_id,
    comment_count: 1,
    created_at: now,
    updated_at: now,
    base_ref: pull?.baseRef ?? null,
    base_oid: pull ? Buffer.from(pull.openedOn, 'hex') : null,
    is_draft: pull?.isDraft ?? false,
  })
  const first = { discussion_id: id, type: 'comment', author_id, created_at: now, body: opened.body } as const
  // No one takes part yet.
  const comment = await addEvent(tx, first, { isHeard: false })
  await keepText(tx, ctx, { id: comment, repoId: opened.repoId, discussionId: id }, opened.body)
  const entry = { id: comment, authorId: author_id, createdAt: now, discussionId: id, type: first.type }
  await notifyOfOpened(tx, entry, opened.repoId)
  if (pull?.commit) await addCommitEvent(tx, ctx, id, pull.commit)
  const { repoId, num } = opened
  await publishDiscussion(tx, ctx, { repoId, num, action: 'create', comment, isNew: true })
}

/** Notes a commit in the thread of its pull request. */
export async function addCommitEvent(
  tx: Tx,
  ctx: Ctx,
  id: string,
  { sha, subject }: PulledCommit,
): Promise<void> {
  await addEvent(tx, {
    discussion_id: id,
    type: 'commit',
    author_id: actorId(ctx.actor),
    created_at: ctx.now(),
    after: subject,
    commit_oid: Buffer.from(sha, 'hex'),
  })
}
