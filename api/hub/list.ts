import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import type { Ctx } from '../ctx.ts'
import type { Env } from '../http/env.ts'
import {
  detailsOf,
  findReposById,
  listLines,
  positionOf as placeOf,
  type Repo,
  type RepoLine,
} from '../repos/index.ts'
import { fit } from './bodies.ts'
import { describe, needsOf } from './info-fields.ts'
import { filtersOf, lineKeysOf, matchesNothing, sortOf } from './list-query.ts'
import { pageResponse, positionOf, queryOf } from './pages.ts'
import { countOf, flagOf } from './params.ts'
import { blobsAt, namesAt, type Sibling } from './siblings.ts'

// hub-wire.md §1.5. Files lie in the packs of each Repo, so lines with them come in shorter pages.
const maxLines = { plain: 1000, withFiles: 100 }
/** A page ends behind the Repo that takes it beyond so many files. */
const maxFiles = 50_000
/** Repos whose packs are read at once. */
const lanes = 8

const Position = z.object({ value: z.union([z.string(), z.number()]), id: z.string() })

/** The heads of the Repos that have one. */
async function headsOf(ctx: Ctx, lines: RepoLine[]): Promise<ReadonlyMap<string, string>> {
  const ids = lines.map(({ id }) => id)
  const heads = new Map<string, string>()
  for (const { id, headCommit } of (await findReposById(ctx.db, ids, '')).values())
    if (headCommit !== null) heads.set(id, headCommit)
  return heads
}

/** The files at the heads, in their order: as many as a page may hold, one Repo's at least. */
async function filesOf(
  ctx: Ctx,
  repos: { id: string; head: string | undefined }[],
  withBlobs: boolean,
): Promise<Sibling[][]> {
  const all: Sibling[][] = []
  const read = withBlobs ? blobsAt : namesAt
  for (let at = 0, files = 0; at < repos.length && files <= maxFiles; at += lanes) {
    const some = await Promise.all(
      repos.slice(at, at + lanes).map(({ id, head }) => (head ? read(ctx, id, head) : [])),
    )
    for (const names of some) {
      if (files > maxFiles) break
      all.push(names)
      files += names.length
    }
  }
  return all
}

/** `GET /api/models`, `GET /api/datasets` */
export async function listHubRepos(c: Context<Env>, type: Repo['type']): Promise<Response> {
  const { ctx } = c.var
  const query = queryOf(c)
  const sort = sortOf(query)
  const wanted = lineKeysOf(query, type)
  const needs = needsOf(wanted.keys)
  const most = needs.siblings ? maxLines.withFiles : maxLines.plain
  const limit = countOf(query, 'limit', most, most)
  const filters = filtersOf(query, type)
  const position = positionOf(c)
  const after = position === undefined ? {} : { after: fit(Position, position) }
  const ascending = query.get('direction') === '1'
  if (matchesNothing(query)) return c.json([])
  const { items, next } = await listLines(ctx, filters, { sort, ascending, limit, ...after })
  const heads = needs.commit ? await headsOf(ctx, items) : new Map<string, string>()
  const placed = items.map(({ id }) => ({ id, head: heads.get(id) }))
  const files = needs.siblings ? await filesOf(ctx, placed, flagOf(query.get('blobs'))) : undefined
  const shown = items.slice(0, files?.length)
  const last = shown.at(-1)
  const isCut = last !== undefined && shown.length < items.length
  const ids = shown.map(({ id }) => id)
  const parts = needs.parts.filter((part) => part !== 'tags')
  const details = await detailsOf(ctx.db, ids, parts)
  const takesChunks = ctx.config.hubapi.chunk === 'ingest'
  const lines = shown.flatMap((repo, i) => {
    const its = details.get(repo.id)
    if (!its) return []
    its.tags = repo.tags
    const { card } = its
    const commit = heads.get(repo.id)
    const siblings = files?.[i] ?? []
    return [describe({ repo, details: its, commit, card, siblings, takesChunks }, wanted)]
  })
  return pageResponse(c, lines, isCut ? placeOf(ctx, sort, last) : next)
}
