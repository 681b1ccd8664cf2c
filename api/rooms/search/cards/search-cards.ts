import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import type { RepoType } from '../../../../shared/vocabulary.ts'
import { policyOf, reposWithCard } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { fullText, readPage, type Page, type TextQuery } from '../../../stores/db/index.ts'
import { requireReader } from '../../repos/index.ts'
import { cardQuery } from './card-query.ts'
import { excerptOf, type Segment } from './excerpt.ts'

/** A repo whose card has what was looked for. */
export interface FoundCard {
  type: RepoType
  ns: string
  name: string
  excerpt: Segment[]
  task: string | null
  likes: number
  updatedAt: Date
}

export interface CardSearch {
  q: string
  /** Of both types unless given. */
  type?: RepoType | undefined
  /** How many results come before the page. */
  after?: number | undefined
  limit: number
}

/**
 * Of more cards that match, only so many are ranked, since nothing else runs meanwhile on SQLite. Among 100 000 cards of 400
 * words a common word then takes 75 to 120 ms, four words 140 to 210; where the caller may see none of them, 280 to 380.
 */
const MOST_RANKED = 2000

/**
 * A page of the repos whose card the caller may read and that has every word of `q`, those that fit best first, and of
 * equals the most liked. Problems: `unauthenticated` where nothing is public, `insufficient-scope`.
 */
export async function searchCards(ctx: Ctx, search: CardSearch): Promise<Page<FoundCard, number>> {
  requireReader(ctx)
  const query = cardQuery(search.q)
  if (query.phrases.length === 0) return { items: [] }
  const { after = 0, limit } = search
  const { items: hits, next } = await readPage(
    limit,
    (count) => findHits(ctx, query, search.type, { offset: after, count }),
    () => after + limit,
  )
  const found = await readFound(ctx, hits, query)
  return { items: hits.flatMap(({ id }) => found.get(id) ?? []), ...(next === undefined ? {} : { next }) }
}

interface Hit {
  id: string
}

function findHits(
  { db, actor, config }: Ctx,
  query: TextQuery,
  type: RepoType | undefined,
  { offset, count }: { offset: number; count: number },
): PromiseLike<Hit[]> {
  const { q, t } = db
  const { repos, namespaces, card_texts } = t
  const score = sql<number>`h.score`.as('score')
  const ranked = q
    .select({ id: repos.id, likes: repos.likes, score })
    .from(sql`${fullText(card_texts.words, card_texts.repo_id, query)} as h`)
    .innerJoin(repos, eq(repos.id, sql`h.id`))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(reposWithCard(actor, db, policyOf(config)), type && eq(repos.type, type)))
    .limit(MOST_RANKED)
    .as('ranked')
  return q
    .select({ id: ranked.id })
    .from(ranked)
    .orderBy(asc(ranked.score), desc(ranked.likes), asc(ranked.id))
    .limit(count)
    .offset(offset)
}

/** What is shown of the hits of a page, in no order. */
async function readFound(
  { db, actor, config }: Ctx,
  hits: Hit[],
  query: TextQuery,
): Promise<Map<string, FoundCard>> {
  const { q, t } = db
  const { repos, namespaces, repo_heads, card_texts } = t
  const ids = hits.map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const rows = await q
    .select({
      id: repos.id,
      type: repos.type,
      ns: namespaces.name,
      name: repos.name,
      text: card_texts.text,
      task: repo_heads.task,
      likes: repos.likes,
      updatedAt: repos.updated_at,
    })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .innerJoin(repo_heads, eq(repo_heads.repo_id, repos.id))
    .innerJoin(card_texts, eq(card_texts.repo_id, repos.id))
    .where(and(inArray(repos.id, ids), reposWithCard(actor, db, policyOf(config))))
  return new Map(rows.map(({ id, text, ...row }) => [id, { ...row, excerpt: excerptOf(text, query) }]))
}
