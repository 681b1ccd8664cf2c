import { and, eq, inArray, sql } from 'drizzle-orm'
import {
  authoriseProfile,
  namespaceRole,
  policyOf,
  requireScope,
  visibleRepos,
} from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { findNamespace, type NamespaceRow } from '../../namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { detailsOf } from '../details.ts'
import { listRepos } from '../list/list.ts'
import type { RepoPosition } from '../list/order.ts'
import type { Repo } from '../queries.ts'

/** A repo and what it takes of the store. */
export interface StoredRepo {
  repo: Repo
  /** Packs, and large files of all revisions, each counted once. */
  bytes: number
}

export interface StoragePage {
  items: StoredRepo[]
  /** Of all repos of the list. */
  totalBytes: number
  next?: RepoPosition
}

/** The namespace whose storage is asked for: the caller's own, or an organisation they are a member of. */
async function requireOwn(ctx: Ctx, org: string | undefined): Promise<NamespaceRow> {
  const user = requireScope(ctx.actor, 'read')
  if (org !== undefined) authoriseProfile(user, org, policyOf(ctx.config))
  const space = await findNamespace(ctx.db, org ?? user.username)
  if (!space || (org !== undefined && space.kind !== 'org')) throw new Problem('not-found')
  if (!namespaceRole(user, space))
    throw new Problem('forbidden', { detail: `Only members of ${space.name} are shown its storage.` })
  return space
}

/** Bytes of the repos of a namespace that the caller may see, as `detailsOf` counts them. */
async function sumStorage(ctx: Ctx, ns: string): Promise<number> {
  const { q, t } = ctx.db
  const { repos, git_repos, namespaces, lfs_links, lfs_objects } = t
  const shown = q
    .select({ id: repos.id })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(
      and(eq(namespaces.name_key, ns.toLowerCase()), visibleRepos(ctx.actor, ctx.db, policyOf(ctx.config))),
    )
  const [packs] = await q
    .select({ bytes: sql`coalesce(sum(${git_repos.pack_bytes}), 0)`.mapWith(Number) })
    .from(git_repos)
    .where(inArray(git_repos.repo_id, shown))
  const [objects] = await q
    .select({ bytes: sql`coalesce(sum(${lfs_objects.size}), 0)`.mapWith(Number) })
    .from(lfs_links)
    .innerJoin(lfs_objects, eq(lfs_objects.sha256, lfs_links.sha256))
    .where(inArray(lfs_links.repo_id, shown))
  return (packs?.bytes ?? 0) + (objects?.bytes ?? 0)
}

/**
 * A page of the caller's own repos, or of those of an organisation that they may see, by name, with what each stores.
 * Problems: `unauthenticated`, `insufficient-scope`, `not-found`, `forbidden`.
 */
export async function listStorage(
  ctx: Ctx,
  org: string | undefined,
  { after, limit }: { after?: RepoPosition | undefined; limit: number },
): Promise<StoragePage> {
  const space = await requireOwn(ctx, org)
  const page = await listRepos(ctx, { ns: space.name }, { sort: 'name', after, limit })
  const ids = page.items.map(({ id }) => id)
  const details = await detailsOf(ctx.db, ids, ['storage'])
  const items = page.items.map((repo) => {
    const { gitBytes = 0, lfsBytes = 0 } = details.get(repo.id) ?? {}
    return { repo, bytes: gitBytes + lfsBytes }
  })
  const totalBytes = await sumStorage(ctx, space.name)
  return { items, totalBytes, ...(page.next ? { next: page.next } : {}) }
}
