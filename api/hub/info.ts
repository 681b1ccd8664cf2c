import type { Context } from 'hono'
import { openRevision } from '../content/index.ts'
import type { Env } from '../http/env.ts'
import {
  detailsOf,
  listRepos,
  requireRepo,
  type ListSort,
  type Repo,
  type RepoFilters,
} from '../repos/index.ts'
import { Problem } from '../problems/index.ts'
import { z } from '@hono/zod-openapi'
import { addressOf } from './address.ts'
import { fit } from './bodies.ts'
import { checkExpand, fieldsOf, infoKeys, listKeys, type Described } from './info-fields.ts'
import { pageResponse, positionOf, queryOf } from './pages.ts'
import { countOf, flagOf, hubId, listOf } from './params.ts'

async function view(c: Context<Env>, of: Described, keys: string[]): Promise<Record<string, unknown>> {
  const id = `${of.repo.ns}/${of.repo.name}`
  const fields = await fieldsOf(of, keys)
  const asksXet = keys.includes('xetEnabled')
  return {
    _id: hubId(of.repo.id),
    id,
    ...(of.repo.type === 'model' ? { modelId: id } : {}),
    ...fields,
    ...(asksXet ? { xetEnabled: c.var.ctx.config.hubapi.chunk === 'ingest' } : {}),
  }
}

/** `GET /api/{t}/{repo}[/revision/{rev}]` */
export async function describeHubRepo(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const query = queryOf(c)
  const address = addressOf(c)
  const repo = await requireRepo(ctx, address, 'repo.read')
  const expand = listOf(query, 'expand').flatMap((key) => key.split(','))
  checkExpand(repo.type, expand)
  const withBlobs = flagOf(query.get('blobs'))
  if (expand.length > 0 && (withBlobs || query.has('securityStatus')))
    throw new Problem('invalid-request', { detail: '"expand" excludes "blobs" and "securityStatus".' })
  const revision = await openRevision(ctx, repo.id, c.req.param('rev') ?? '')
  const details = (await detailsOf(ctx.db, [repo.id])).get(repo.id)
  if (!details) throw new Problem('repo-not-found')
  const described: Described = { repo, details, revision, withBlobs }
  return c.json(await view(c, described, expand.length > 0 ? expand : infoKeys[repo.type]), 200, {
    'X-Repo-Commit': revision.commit,
  })
}

// Names of orders by client and year; trending is by likes until there is more to go by.
const sorts: Record<string, ListSort> = {
  lastModified: 'updated',
  last_modified: 'updated',
  createdAt: 'created',
  created_at: 'created',
  likes: 'likes',
  likes30d: 'likes',
  trendingScore: 'likes',
  trending_score: 'likes',
  downloads: 'likes',
  mainSize: 'size',
  main_size: 'size',
  num_parameters: 'size',
  id: 'name',
}

function sortOf(query: URLSearchParams): ListSort {
  const asked = query.get('sort') ?? 'trendingScore'
  const sort = Object.hasOwn(sorts, asked) ? sorts[asked] : undefined
  if (!sort)
    throw new Problem('invalid-request', {
      detail: `"sort" must be one of [${Object.keys(sorts).join(', ')}]`,
    })
  return sort
}

/** Tag equality; bare languages and the like stand for themselves and for their prefixed form. */
function tagGroups(query: URLSearchParams): string[][] {
  const words = [...listOf(query, 'filter'), ...listOf(query, 'tags')].flatMap((value) => value.split(','))
  return words
    .filter((word) => word !== '')
    .map((word) => (word.includes(':') ? [word] : [word, `language:${word}`]))
}

function filtersOf(query: URLSearchParams, type: Repo['type']): RepoFilters {
  const gated = query.get('gated')
  const [author] = listOf(query, 'author')
  const tasks = listOf(query, 'pipeline_tag')
  const libraries = listOf(query, 'library')
  return {
    type,
    idContains: listOf(query, 'search'),
    tags: tagGroups(query),
    ...(author === undefined ? {} : { ns: author }),
    ...(tasks.length > 0 ? { tasks } : {}),
    ...(libraries.length > 0 ? { libraries } : {}),
    ...(gated === null ? {} : { isGated: flagOf(gated) }),
  }
}

// Filters by what this server does not know of any Repo match none.
const unanswerable = ['apps', 'inference', 'inference_provider']
const maxPage = 1000
const Position = z.object({ value: z.union([z.string(), z.number()]), id: z.string() })

/** Keys of a list's lines: what `expand` names, or the least and what the switches add. */
function keysOf(query: URLSearchParams, type: Repo['type']): string[] {
  const expand = listOf(query, 'expand').flatMap((key) => key.split(','))
  checkExpand(type, expand)
  if (expand.length > 0) return expand
  const full = flagOf(query.get('full'))
  return [
    ...listKeys,
    ...(full ? ['sha', 'siblings'] : []),
    ...(full || flagOf(query.get('cardData')) ? ['cardData'] : []),
    ...(type === 'dataset' ? ['description'] : []),
  ]
}

/** `GET /api/models`, `GET /api/datasets` */
export async function listHubRepos(c: Context<Env>, type: Repo['type']): Promise<Response> {
  const { ctx } = c.var
  const query = queryOf(c)
  const sort = sortOf(query)
  const keys = keysOf(query, type)
  const limit = countOf(query, 'limit', maxPage, maxPage)
  const filters = filtersOf(query, type)
  if (unanswerable.some((name) => query.has(name))) return c.json([])
  const position = positionOf(c)
  const { items, next } = await listRepos(ctx, filters, {
    sort,
    ascending: query.get('direction') === '1',
    limit,
    ...(position === undefined ? {} : { after: fit(Position, position) }),
  })
  const details = await detailsOf(
    ctx.db,
    items.map(({ id }) => id),
  )
  const lines: Record<string, unknown>[] = []
  for (const repo of items) {
    const detail = details.get(repo.id)
    if (!detail) continue
    const revision = keys.includes('siblings') ? await openRevision(ctx, repo.id) : undefined
    lines.push(
      await view(c, { repo, details: detail, withBlobs: false, ...(revision ? { revision } : {}) }, keys),
    )
  }
  return pageResponse(c, lines, next)
}
