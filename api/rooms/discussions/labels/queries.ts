import { and, asc, eq, inArray } from 'drizzle-orm'
import type { LabelColor } from '../../../../shared/vocabulary.ts'
import type { Tables } from '../../../stores/db/index.ts'
import type { Reader } from '../queries.ts'

/** Sorts the discussions of a repo. */
export interface Label {
  id: string
  name: string
  color: LabelColor
  /** Empty for none. */
  description: string
}

const columnsOf = ({ discussion_labels: l }: Tables) => ({
  id: l.id,
  name: l.name,
  color: l.color,
  description: l.description,
})

/** The labels of a repo, by name. */
export function findLabels({ q, t }: Reader, repoId: string): Promise<Label[]> {
  const { discussion_labels: l } = t
  return q.select(columnsOf(t)).from(l).where(eq(l.repo_id, repoId)).orderBy(asc(l.name_key))
}

/** The label of this id in this very repo. */
export async function findLabel({ q, t }: Reader, repoId: string, id: string): Promise<Label | undefined> {
  const { discussion_labels: l } = t
  const [label] = await q
    .select(columnsOf(t))
    .from(l)
    .where(and(eq(l.repo_id, repoId), eq(l.id, id)))
  return label
}

/** The labels of these discussions by the id of each, by name. */
export async function labelsOf(
  { q, t }: Reader,
  discussionIds: readonly string[],
): Promise<Map<string, Label[]>> {
  const found = new Map<string, Label[]>(discussionIds.map((id) => [id, []]))
  if (found.size === 0) return found
  const { discussion_labels: l, discussion_label_uses: u } = t
  const rows = await q
    .select({ discussionId: u.discussion_id, label: columnsOf(t) })
    .from(u)
    .innerJoin(l, eq(l.id, u.label_id))
    .where(inArray(u.discussion_id, [...discussionIds]))
    .orderBy(asc(l.name_key))
  for (const { discussionId, label } of rows) found.get(discussionId)?.push(label)
  return found
}
