import { eq, inArray, sql } from 'drizzle-orm'
import { memo, type Db } from '../../stores/db/index.ts'
import type { Reader } from './queries.ts'

/** What a Repo's page shows besides its row. */
export interface RepoDetails {
  /** Front matter of the README at the default branch's head. */
  card: Record<string, unknown> | null
  tags: string[]
  gitBytes: number
  lfsBytes: number
}

/** Parts of the details, each of which costs a statement: lists ask for those they show. */
export type DetailPart = 'card' | 'tags' | 'storage'

const allParts: readonly DetailPart[] = ['card', 'tags', 'storage']

/** Card, tags and stored bytes of each of the Repos; what is not asked for stays empty. */
export async function detailsOf(
  db: Reader,
  ids: string[],
  parts: readonly DetailPart[] = allParts,
): Promise<Map<string, RepoDetails>> {
  const details = new Map<string, RepoDetails>(
    ids.map((id) => [id, { card: null, tags: [], gitBytes: 0, lfsBytes: 0 }]),
  )
  const add = { card: addCards, tags: addTags, storage: addStorage }
  if (ids.length > 0) for (const part of parts) await add[part](db, ids, details)
  return details
}

type Details = ReadonlyMap<string, RepoDetails>

async function addCards({ q, t: { repos } }: Reader, ids: string[], details: Details): Promise<void> {
  const rows = await q.select({ id: repos.id, card: repos.card }).from(repos).where(inArray(repos.id, ids))
  for (const { id, card } of rows) Object.assign(details.get(id) ?? {}, { card })
}

async function addTags({ q, t: { repo_tags } }: Reader, ids: string[], details: Details): Promise<void> {
  const rows = await q.select().from(repo_tags).where(inArray(repo_tags.repo_id, ids)).orderBy(repo_tags.tag)
  for (const { repo_id, tag } of rows) details.get(repo_id)?.tags.push(tag)
}

async function addStorage({ q, t }: Reader, ids: string[], details: Details): Promise<void> {
  const { git_repos, lfs_links, lfs_objects } = t
  const packs = await q
    .select({ id: git_repos.repo_id, gitBytes: git_repos.pack_bytes })
    .from(git_repos)
    .where(inArray(git_repos.repo_id, ids))
  for (const { id, gitBytes } of packs) Object.assign(details.get(id) ?? {}, { gitBytes })
  const objects = await q
    .select({ id: lfs_links.repo_id, lfsBytes: sql`sum(${lfs_objects.size})`.mapWith(Number) })
    .from(lfs_links)
    .innerJoin(lfs_objects, eq(lfs_objects.sha256, lfs_links.sha256))
    .where(inArray(lfs_links.repo_id, ids))
    .groupBy(lfs_links.repo_id)
  for (const { id, lfsBytes } of objects) Object.assign(details.get(id) ?? {}, { lfsBytes })
}

const maxKept = 10_000
const lookupOf = (db: Db) =>
  memo(db, maxKept, async (id: string) => {
    const found = (await detailsOf(db, [id])).get(id)
    return found ?? { card: null, tags: [], gitBytes: 0, lfsBytes: 0 }
  })

/** As `detailsOf`, of one repo; from memory while nothing was written here (SQLite). Not to be changed. */
export const readDetails = (db: Db, id: string): RepoDetails | Promise<RepoDetails> => db.keep(lookupOf)(id)
