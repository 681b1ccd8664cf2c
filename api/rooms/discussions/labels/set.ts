import { and, eq, inArray } from 'drizzle-orm'
import { limits } from '../../../../shared/vocabulary.ts'
import { invalidField } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import type { Discussion } from '../queries.ts'
import type { SetOutcome } from '../set-change.ts'
import { findLabels, labelsOf, type Label } from './queries.ts'

const shown = ({ name, color }: Label) => ({ name, color })

/**
 * Gives a discussion these labels in place of those it has; answers the difference, if there is one. Problem
 * `validation-failed` for labels that the repo does not have, and too many.
 */
export async function setLabels(
  tx: Tx,
  { id, repoId }: Discussion,
  wanted: readonly string[],
): Promise<SetOutcome | undefined> {
  const ids = new Set(wanted)
  if (ids.size > limits.discussionLabels)
    throw invalidField('labels', `must be at most ${limits.discussionLabels}`, 'too-many')
  const ofRepo = new Map((await findLabels(tx, repoId)).map((label) => [label.id, label]))
  for (const each of ids)
    if (!ofRepo.has(each))
      throw invalidField('labels', `the repo has no label ${each}. It may have been deleted`, 'unknown')
  const before = (await labelsOf(tx, [id])).get(id) ?? []
  const had = new Set(before.map((label) => label.id))
  const removed = before.filter((label) => !ids.has(label.id))
  const added = [...ofRepo.values()].filter((label) => ids.has(label.id) && !had.has(label.id))
  if (added.length + removed.length === 0) return undefined
  const { discussion_label_uses: u } = tx.t
  const gone = removed.map((label) => label.id)
  if (gone.length > 0) await tx.q.delete(u).where(and(eq(u.discussion_id, id), inArray(u.label_id, gone)))
  if (added.length > 0)
    await tx.q.insert(u).values(added.map((label) => ({ discussion_id: id, label_id: label.id })))
  return {
    change: { added: added.map(shown), removed: removed.map(shown) },
    before: before.map(({ name }) => name),
    after: [...ofRepo.values()].filter((label) => ids.has(label.id)).map(({ name }) => name),
  }
}
