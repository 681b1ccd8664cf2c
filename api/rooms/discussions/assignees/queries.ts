import { asc, eq, inArray } from 'drizzle-orm'
import type { Reader } from '../queries.ts'

/** Somebody who is to see to a discussion. */
export interface Assignee {
  id: string
  username: string
}

/** Who is assigned to these discussions by the id of each, by name; accounts that are gone are left out. */
export async function assigneesOf(
  { q, t }: Reader,
  discussionIds: readonly string[],
): Promise<Map<string, Assignee[]>> {
  const found = new Map<string, Assignee[]>(discussionIds.map((id) => [id, []]))
  if (found.size === 0) return found
  const { discussion_assignees: a, namespaces } = t
  const rows = await q
    .select({ discussionId: a.discussion_id, id: namespaces.id, username: namespaces.name })
    .from(a)
    .innerJoin(namespaces, eq(namespaces.id, a.user_id))
    .where(inArray(a.discussion_id, [...discussionIds]))
    .orderBy(asc(namespaces.name_key))
  for (const { discussionId, ...person } of rows) found.get(discussionId)?.push(person)
  return found
}
