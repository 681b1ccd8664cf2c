import { assigneesOf, type Assignee } from './assignees/queries.ts'
import { labelsOf, type Label } from './labels/queries.ts'
import type { Discussion, Reader } from './queries.ts'

/** What marks a discussion: what it is about, and who is to see to it. */
export interface Marks {
  labels: Label[]
  assignees: Assignee[]
}

/** The labels and assignees of discussions. */
export async function marksOf(
  reader: Reader,
  discussions: readonly Discussion[],
): Promise<(discussion: Discussion) => Marks> {
  const ids = discussions.map(({ id }) => id)
  const [labels, assignees] = await Promise.all([labelsOf(reader, ids), assigneesOf(reader, ids)])
  return ({ id }) => ({ labels: labels.get(id) ?? [], assignees: assignees.get(id) ?? [] })
}
