import { and, asc, eq } from 'drizzle-orm'
import {
  actorId,
  authoriseNamespace,
  authoriseProfile,
  policyOf,
  visibleRepos,
} from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { invalidField } from '../../../platform/problems/index.ts'
import { lockNamespace, requireNamespace, type NamespaceRow } from '../../namespaces/index.ts'
import type { RepoType } from '../../../../shared/vocabulary.ts'
import { repoRows, toRepo, type Reader, type Repo } from '../queries.ts'

/** The pinned repos of a namespace that the caller may see, in their order. */
export async function listPins(ctx: Ctx, ns: string): Promise<Repo[]> {
  authoriseProfile(ctx.actor, ns, policyOf(ctx.config))
  return pinsOf(ctx, ctx.db, await requireNamespace(ctx.db, ns))
}

/** One that was moved away or deleted is pinned here no more. */
async function pinsOf({ actor, config }: Ctx, db: Reader, { id }: NamespaceRow): Promise<Repo[]> {
  const { pinned_repos: p, repos } = db.t
  const rows = await repoRows(db, actorId(actor) ?? '')
    .innerJoin(p, and(eq(p.repo_id, repos.id), eq(p.namespace_id, repos.namespace_id)))
    .where(and(eq(p.namespace_id, id), visibleRepos(actor, db, policyOf(config))))
    .orderBy(asc(p.place))
  return rows.map((row) => toRepo(row))
}

/**
 * Pins these repos of a namespace to its profile, in this order, in place of those that were. Others see those of them that
 * they may see. Problems: `forbidden`, `validation-failed` for a repo that is not there and one that is named twice.
 */
export async function setPins(
  ctx: Ctx,
  ns: string,
  wanted: { type: RepoType; name: string }[],
): Promise<Repo[]> {
  authoriseProfile(ctx.actor, ns, policyOf(ctx.config))
  const space = await requireNamespace(ctx.db, ns)
  authoriseNamespace(ctx.actor, 'namespace.edit', space)
  return ctx.db.write(async (tx) => {
    const { pinned_repos: p } = tx.t
    // Of two changes at once, the second replaces the first.
    await lockNamespace(tx, space.id)
    const ids: string[] = []
    for (const [i, repo] of wanted.entries()) {
      const id = await idOf(ctx, tx, space, repo)
      if (id === undefined) throw invalidField(`repos.${i}`, `${space.name} has no ${repo.type} ${repo.name}`)
      if (ids.includes(id)) throw invalidField(`repos.${i}`, `${repo.name} is named twice`)
      ids.push(id)
    }
    await tx.q.delete(p).where(eq(p.namespace_id, space.id))
    if (ids.length > 0)
      await tx.q.insert(p).values(ids.map((repo_id, place) => ({ namespace_id: space.id, repo_id, place })))
    return pinsOf(ctx, tx, space)
  })
}

async function idOf(
  { actor, config }: Ctx,
  db: Reader,
  space: NamespaceRow,
  { type, name }: { type: RepoType; name: string },
): Promise<string | undefined> {
  const { repos } = db.t
  const [row] = await repoRows(db, '').where(
    and(
      eq(repos.namespace_id, space.id),
      eq(repos.type, type),
      eq(repos.name_key, name.toLowerCase()),
      visibleRepos(actor, db, policyOf(config)),
    ),
  )
  return row?.row.id
}
