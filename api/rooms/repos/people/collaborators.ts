import { asc, eq } from 'drizzle-orm'
import { namePattern, type Role } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { findUser } from '../../namespaces/index.ts'
import { invalidField } from '../../../platform/problems/index.ts'
import type { RepoAddress } from '../address.ts'
import { auditRepo } from '../audit.ts'
import { checkIfMatch, etagOf } from '../etag.ts'
import { requireRepo, requireRepoToChange } from '../find.ts'
import type { Reader } from '../queries.ts'

export interface Collaborator {
  username: string
  role: Role
}

/** All collaborators of a repo by name, with the ETag of the list. */
export interface Collaborators {
  items: Collaborator[]
  etag: string
}

async function read({ q, t: { collaborators, namespaces } }: Reader, repoId: string): Promise<Collaborators> {
  const items = await q
    .select({ username: namespaces.name, role: collaborators.role })
    .from(collaborators)
    .innerJoin(namespaces, eq(namespaces.id, collaborators.user_id))
    .where(eq(collaborators.repo_id, repoId))
    .orderBy(asc(namespaces.name_key))
  return { items, etag: etagOf([repoId, items]) }
}

/** Who has a role on this repo alone. Problems: `repo-not-found`, `forbidden`. */
export async function getCollaborators(ctx: Ctx, address: RepoAddress): Promise<Collaborators> {
  const repo = await requireRepo(ctx, address, 'repo.collaborators')
  return read(ctx.db, repo.id)
}

/** Replaces the whole list. Problems: `repo-not-found`, `forbidden`, `precondition-failed`, `validation-failed`. */
export async function setCollaborators(
  ctx: Ctx,
  address: RepoAddress,
  wanted: Collaborator[],
  ifMatch?: string,
): Promise<Collaborators> {
  return ctx.db.write(async (tx) => {
    const repo = await requireRepoToChange(tx, ctx, address, 'repo.collaborators.set')
    const before = await read(tx, repo.id)
    checkIfMatch(ifMatch, before.etag)
    const rows = await resolve(tx, repo.id, wanted)
    const { collaborators } = tx.t
    await tx.q.delete(collaborators).where(eq(collaborators.repo_id, repo.id))
    if (rows.length > 0) await tx.q.insert(collaborators).values(rows)
    const after = await read(tx, repo.id)
    const changed = { before: { items: before.items }, after: { items: after.items } }
    if (after.etag !== before.etag) await auditRepo(tx, ctx, 'repo.collaborators.set', repo, changed)
    return after
  })
}

async function resolve(tx: Tx, repoId: string, wanted: Collaborator[]) {
  const rows: { repo_id: string; user_id: string; role: Role }[] = []
  for (const [i, { username, role }] of wanted.entries()) {
    const user = namePattern.test(username) ? await findUser(tx, username) : undefined
    if (!user) throw invalidField(`items.${i}.username`, 'there is no such user', 'unknown-user')
    if (rows.some((row) => row.user_id === user.id))
      throw invalidField(`items.${i}.username`, 'is listed twice', 'duplicate')
    rows.push({ repo_id: repoId, user_id: user.id, role })
  }
  return rows
}
