import { and, count, desc, eq, inArray, isNotNull, ne } from 'drizzle-orm'
import type { RepoType } from '../../../shared/vocabulary.ts'
import { policyOf, visibleRepos } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { NeedKind, Relation } from '../../core/metadata/index.ts'
import { requireRepo, type RepoAddress } from '../repos/index.ts'

/** Most repos that are listed as needing one. */
const MAX_NEEDED_BY = 200

/** Another repo, and why it is needed or needs. */
export interface Dependency {
  kind: NeedKind
  relation: Relation | null
  revision: string | null
  /** `ns` is empty where a file gives a name alone. */
  repo: { type: RepoType; ns: string; name: string }
}

/** What a repo needs, and what needs it. */
export interface Dependencies {
  /** `isPresent`: here, and the caller may read it. */
  needs: (Dependency & { isPresent: boolean })[]
  /** Those the caller may read, the most liked first. */
  neededBy: Dependency[]
  /** Models made from this one that the caller may read. */
  children: Record<Relation, number>
}

/** What a repo needs and what needs it (indexing.md §4). Problems: those of reading the repo. */
export async function listDependencies(ctx: Ctx, address: RepoAddress): Promise<Dependencies> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const key = `${repo.ns}/${repo.name}`.toLowerCase()
  const [needs, neededBy, children] = await Promise.all([
    listNeeds(ctx, repo.id, key),
    listNeededBy(ctx, repo),
    countChildren(ctx, [key]),
  ])
  const none = { adapter: 0, finetune: 0, merge: 0, quantized: 0 }
  return { needs, neededBy, children: repo.type === 'model' ? { ...none, ...children.get(key) } : none }
}

async function listNeeds(ctx: Ctx, repoId: string, key: string): Promise<Dependencies['needs']> {
  const { q, t } = ctx.db
  const { repo_dependencies: d, repos, namespaces } = t
  const rows = await q
    .select()
    .from(d)
    .where(and(eq(d.repo_id, repoId), ne(d.target_key, key)))
  const keys = rows.map(({ target_key }) => target_key)
  const here = await q
    .select({ type: repos.type, key: repos.full_key })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(inArray(repos.full_key, keys), visibleRepos(ctx.actor, ctx.db, policyOf(ctx.config))))
  const present = new Set(here.map((repo) => `${repo.type} ${repo.key}`))
  return rows.map(({ kind, type, target, target_key, revision, relation }) => {
    const end = target.indexOf('/')
    const repo = { type, ns: target.slice(0, Math.max(0, end)), name: target.slice(end + 1) }
    return { kind, relation, revision, repo, isPresent: present.has(`${type} ${target_key}`) }
  })
}

async function listNeededBy(
  ctx: Ctx,
  { id, type, ns, name }: { id: string; type: RepoType; ns: string; name: string },
): Promise<Dependency[]> {
  const { q, t } = ctx.db
  const { repo_dependencies: d, repos, namespaces } = t
  const rows = await q
    .select({
      kind: d.kind,
      relation: d.relation,
      revision: d.revision,
      type: repos.type,
      ns: namespaces.name,
      name: repos.name,
    })
    .from(d)
    .innerJoin(repos, eq(repos.id, d.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(
      and(
        eq(d.type, type),
        eq(d.target_key, `${ns}/${name}`.toLowerCase()),
        ne(d.repo_id, id),
        visibleRepos(ctx.actor, ctx.db, policyOf(ctx.config)),
      ),
    )
    .orderBy(desc(repos.likes), desc(repos.id))
    .limit(MAX_NEEDED_BY)
  return rows.map(({ kind, relation, revision, ...repo }) => ({ kind, relation, revision, repo }))
}

/** How many models the caller may read are made from each of these, by the lower-cased names of those. */
export async function countChildren(
  ctx: Ctx,
  keys: readonly string[],
): Promise<Map<string, Partial<Record<Relation, number>>>> {
  const { q, t } = ctx.db
  const { repo_dependencies: d, repos, namespaces } = t
  const found = new Map<string, Partial<Record<Relation, number>>>()
  if (keys.length === 0) return found
  const rows = await q
    .select({ key: d.target_key, relation: d.relation, number: count() })
    .from(d)
    .innerJoin(repos, eq(repos.id, d.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(
      and(
        eq(d.type, 'model'),
        inArray(d.target_key, [...keys]),
        eq(d.kind, 'base_model'),
        isNotNull(d.relation),
        ne(repos.full_key, d.target_key),
        visibleRepos(ctx.actor, ctx.db, policyOf(ctx.config)),
      ),
    )
    .groupBy(d.target_key, d.relation)
  for (const { key, relation, number } of rows)
    if (relation) found.set(key, { ...found.get(key), [relation]: number })
  return found
}
