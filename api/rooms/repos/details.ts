import { eq, inArray, sql } from 'drizzle-orm'
import { memo, type Db } from '../../stores/db/index.ts'
import type { FacetField, Findings } from '../../core/metadata/index.ts'
import type { Reader } from './queries.ts'

/** What a repo's page shows besides its row. */
export interface RepoDetails {
  /** Front matter of the README at the default branch's head. */
  card: Record<string, unknown> | null
  tags: string[]
  /** What lists are narrowed by. */
  facets: Partial<Record<FacetField, string[]>>
  /** What the files of the head say; `null` while they have not been read. */
  findings: Findings | null
  gitBytes: number
  lfsBytes: number
}

/** Parts of the details, each of which costs a statement: lists ask for those they show. */
export type DetailPart = 'card' | 'tags' | 'facets' | 'findings' | 'storage'

const nothing = (): RepoDetails => ({
  card: null,
  tags: [],
  facets: {},
  findings: null,
  gitBytes: 0,
  lfsBytes: 0,
})

const allParts: readonly DetailPart[] = ['card', 'tags', 'facets', 'findings', 'storage']

/** Card, tags and stored bytes of each of the repos; what is not asked for stays empty. */
export async function detailsOf(
  db: Reader,
  ids: string[],
  parts: readonly DetailPart[] = allParts,
): Promise<Map<string, RepoDetails>> {
  const details = new Map<string, RepoDetails>(ids.map((id) => [id, nothing()]))
  const add = {
    card: addCards,
    tags: addTags,
    facets: addFacets,
    findings: addFindings,
    storage: addStorage,
  }
  if (ids.length > 0) for (const part of parts) await add[part](db, ids, details)
  return details
}

type Details = ReadonlyMap<string, RepoDetails>

async function addCards(
  { q, t: { repo_heads: heads } }: Reader,
  ids: string[],
  details: Details,
): Promise<void> {
  const rows = await q
    .select({ id: heads.repo_id, card: heads.card })
    .from(heads)
    .where(inArray(heads.repo_id, ids))
  for (const { id, card } of rows) Object.assign(details.get(id) ?? {}, { card })
}

async function addTags({ q, t: { repo_tags } }: Reader, ids: string[], details: Details): Promise<void> {
  const rows = await q.select().from(repo_tags).where(inArray(repo_tags.repo_id, ids)).orderBy(repo_tags.tag)
  for (const { repo_id, tag } of rows) details.get(repo_id)?.tags.push(tag)
}

async function addFacets(
  { q, t: { repo_facets: f } }: Reader,
  ids: string[],
  details: Details,
): Promise<void> {
  const rows = await q.select().from(f).where(inArray(f.repo_id, ids)).orderBy(f.value)
  for (const { repo_id, field, value } of rows) {
    const facets = details.get(repo_id)?.facets
    if (facets) (facets[field] ??= []).push(value)
  }
}

async function addFindings(
  { q, t: { repo_heads: h } }: Reader,
  ids: string[],
  details: Details,
): Promise<void> {
  const rows = await q.select({ id: h.repo_id, findings: h.findings }).from(h).where(inArray(h.repo_id, ids))
  for (const { id, findings } of rows) Object.assign(details.get(id) ?? {}, { findings })
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
    return found ?? nothing()
  })

/** As `detailsOf`, of one repo; from memory while nothing was written here (SQLite). Not to be changed. */
export const readDetails = (db: Db, id: string): RepoDetails | Promise<RepoDetails> => db.keep(lookupOf)(id)
