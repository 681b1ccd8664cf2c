import { and, asc, eq, inArray, notInArray } from 'drizzle-orm'
import { limits, namePattern } from '../../../../shared/vocabulary.ts'
import { rolesOfPeople } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { invalidField } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import type { Repo } from '../../repos/index.ts'
import type { Discussion } from '../queries.ts'
import type { SetOutcome } from '../set-change.ts'
import { assigneesOf, type Assignee } from './queries.ts'

/** Who is assigned to a discussion from now on, where that has changed. */
export interface Assigned extends SetOutcome {
  /** Ids of those who were not before. */
  added: string[]
}

/**
 * Assigns these people to a discussion in place of those who are; answers the difference, if there is one. Problem
 * `validation-failed` for people who may not read the repo as for those there are not, and for too many. Those who are
 * assigned already may stay, whatever has become of their rights.
 */
export async function setAssignees(
  tx: Tx,
  ctx: Ctx,
  repo: Repo,
  { id }: Discussion,
  wanted: readonly string[],
): Promise<Assigned | undefined> {
  const names = new Map(wanted.map((name) => [name.toLowerCase(), name]))
  if (names.size > limits.assignees)
    throw invalidField('assignees', `must be at most ${limits.assignees} people`, 'too-many')
  const before = (await assigneesOf(tx, [id])).get(id) ?? []
  const after = await findPeople(tx, [...names.keys()])
  const had = new Set(before.map((person) => person.id))
  const added = after.filter((person) => !had.has(person.id))
  const roles = await rolesOfPeople(
    tx,
    repo,
    added.map((person) => person.id),
  )
  const found = new Set(after.filter(({ id: each }) => had.has(each) || roles.has(each)).map(keyOf))
  for (const [key, name] of names)
    if (!found.has(key))
      throw invalidField('assignees', `there is no user "${name}" who can read this repo`, 'unknown')
  const kept = new Set(after.map((person) => person.id))
  const removed = before.filter((person) => !kept.has(person.id))
  if (added.length + removed.length === 0) return undefined
  await write(tx, ctx, id, [...kept], added)
  return {
    change: { added: added.map(shown), removed: removed.map(shown) },
    before: before.map(({ username }) => username),
    after: after.map(({ username }) => username),
    added: added.map((person) => person.id),
  }
}

const keyOf = ({ username }: Assignee) => username.toLowerCase()
const shown = ({ username }: Assignee) => ({ name: username })

async function findPeople({ q, t: { namespaces } }: Tx, keys: string[]): Promise<Assignee[]> {
  const possible = keys.filter((key) => namePattern.test(key))
  if (possible.length === 0) return []
  return q
    .select({ id: namespaces.id, username: namespaces.name })
    .from(namespaces)
    .where(and(inArray(namespaces.name_key, possible), eq(namespaces.kind, 'user')))
    .orderBy(asc(namespaces.name_key))
}

async function write(tx: Tx, ctx: Ctx, discussionId: string, kept: string[], added: Assignee[]) {
  const { discussion_assignees: a } = tx.t
  // Rows of accounts that are gone go as well.
  const isOther = kept.length > 0 ? notInArray(a.user_id, kept) : undefined
  await tx.q.delete(a).where(and(eq(a.discussion_id, discussionId), isOther))
  if (added.length === 0) return
  const created_at = ctx.now()
  const rows = added.map(({ id }) => ({ discussion_id: discussionId, user_id: id, created_at }))
  await tx.q.insert(a).values(rows)
}
