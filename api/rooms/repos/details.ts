import { eq, inArray, sql } from 'drizzle-orm'
import { jsonRow, jsonTexts, memo, perTables, type Db } from '../../stores/db/index.ts'
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

/** Parts of the details: lists ask for those they show. */
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

/** What is short, in one value: each statement more costs a page of 50 repos on Postgres 1 to 2 ms. */
const shortOf = perTables(
  ({
    repo_heads: heads,
    repo_tags: tags,
    repo_facets: facets,
    git_repos: git,
    lfs_links: links,
    lfs_objects: objects,
  }) => {
    const word = sql`${facets.field} || '=' || ${facets.value}`
    return jsonRow({
      id: heads.repo_id,
      tags: jsonTexts(tags.tag, sql`from ${tags} where ${eq(tags.repo_id, heads.repo_id)}`),
      facets: jsonTexts(facets.value, sql`from ${facets} where ${eq(facets.repo_id, heads.repo_id)}`, word),
      gitBytes: sql<
        number | null
      >`(select ${git.pack_bytes} from ${git} where ${eq(git.repo_id, heads.repo_id)})`,
      lfsBytes: sql<number | null>`(select sum(${objects.size}) from ${links}
        inner join ${objects} on ${eq(objects.sha256, links.sha256)} where ${eq(links.repo_id, heads.repo_id)})`,
    })
  },
)

/** Card, tags and stored bytes of each of the repos; what is not asked for stays empty. */
export async function detailsOf(
  { q, t }: Reader,
  ids: string[],
  parts: readonly DetailPart[] = allParts,
): Promise<Map<string, RepoDetails>> {
  const details = new Map<string, RepoDetails>(ids.map((id) => [id, nothing()]))
  if (ids.length === 0 || parts.length === 0) return details
  const asked = new Set(parts)
  const { repo_heads: heads } = t
  const isShort = asked.has('tags') || asked.has('facets') || asked.has('storage')
  const rows = await q
    .select({
      id: heads.repo_id,
      ...(isShort && { short: shortOf(t).one }),
      ...(asked.has('card') && { card: heads.card }),
      ...(asked.has('findings') && { findings: heads.findings }),
    })
    .from(heads)
    .where(inArray(heads.repo_id, ids))
  for (const { id, short, card = null, findings = null } of rows) {
    const its = { ...nothing(), card, findings }
    if (short && asked.has('tags')) its.tags = short.tags
    if (short && asked.has('facets')) its.facets = facetsOf(short.facets)
    if (short && asked.has('storage'))
      Object.assign(its, { gitBytes: short.gitBytes ?? 0, lfsBytes: short.lfsBytes ?? 0 })
    details.set(id, its)
  }
  return details
}

/** Of words `field=value`. */
function facetsOf(words: string[]): RepoDetails['facets'] {
  const facets: RepoDetails['facets'] = {}
  for (const word of words) {
    const end = word.indexOf('=')
    ;(facets[word.slice(0, end) as FacetField] ??= []).push(word.slice(end + 1))
  }
  return facets
}

const maxKept = 10_000
const lookupOf = (db: Db) =>
  memo(db, maxKept, async (id: string) => {
    const found = (await detailsOf(db, [id])).get(id)
    return found ?? nothing()
  })

/** As `detailsOf`, of one repo; from memory while nothing was written here (SQLite). Not to be changed. */
export const readDetails = (db: Db, id: string): RepoDetails | Promise<RepoDetails> => db.keep(lookupOf)(id)
