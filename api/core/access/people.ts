import { and, eq, inArray } from 'drizzle-orm'
import type { Role } from '../../../shared/vocabulary.ts'
import type { Reads, Tables } from '../../stores/db/index.ts'
import { roleOfPerson, type RepoFacts } from './can.ts'

/** The roles that other people have on a repo now. Who may not see it, or is disabled, is not among them. */
export async function rolesOfPeople(
  { q, t }: { q: Reads; t: Tables },
  repo: RepoFacts & { id: string },
  userIds: readonly string[],
): Promise<Map<string, Role>> {
  if (userIds.length === 0) return new Map()
  const { users, members, collaborators } = t
  const rows = await q
    .select({ id: users.id, isAdmin: users.is_admin, member: members.role, collaborator: collaborators.role })
    .from(users)
    .leftJoin(members, and(eq(members.user_id, users.id), eq(members.org_id, repo.namespaceId)))
    .leftJoin(collaborators, and(eq(collaborators.user_id, users.id), eq(collaborators.repo_id, repo.id)))
    .where(and(inArray(users.id, [...userIds]), eq(users.disabled, false)))
  return new Map(
    rows.flatMap(({ id, isAdmin, member, collaborator }) => {
      const roles = new Map<string, Role>([[id, 'admin']])
      if (member) roles.set(repo.namespaceId, member)
      const role = roleOfPerson({ isAdmin, roles }, { ...repo, collaboratorRole: collaborator })
      return role ? [[id, role] as const] : []
    }),
  )
}
