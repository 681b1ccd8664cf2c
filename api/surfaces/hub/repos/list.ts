import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import type { Ctx } from '../../../core/ctx.ts'
import type { Env } from '../../../core/http/env.ts'
import {
  detailsOf,
  findReposById,
  listLines,
  type Repo,
  type RepoLine,
  type TaggedLine,
} from '../../../rooms/repos/index.ts'
import { headIssues, headScans, type ShownIssue } from '../../../rooms/scans/index.ts'
import { fit } from '../wire/bodies.ts'
import { sendJson, withSiblings } from '../files/json-stream.ts'
import { countChildren } from '../../../rooms/indexing/index.ts'
import { childrenOf, keyOf } from './children.ts'
import { describe, needsOf } from './info-fields.ts'
import { filtersOf, lineKeysOf, sortOf } from './list-query.ts'
import { linkTo, pageResponse, positionOf, queryOf } from '../wire/pages.ts'
import { countOf, flagOf } from '../wire/params.ts'
import { keepNames, MAX_SIBLINGS, siblingsJson } from './siblings.ts'

// hub-wire.md §1.5. Files lie in the packs of each repo, so lines with them come in shorter pages.
const maxLines = { plain: 1000, withFiles: 100 }
/** A page ends behind the repo that takes it beyond so many files. */
const maxFiles = 50_000
/** Repos whose packs are read at once. */
const lanes = 8
/** Files of a repo whose names are read ahead. */
const maxReadAhead = 1000

const Position = z.object({ value: z.union([z.string(), z.number()]), id: z.string() })

/** A commit that a repo is shown at. */
interface Head {
  commit: string
  files: number
}

/** The heads of the repos that have one. */
async function headsOf(ctx: Ctx, lines: RepoLine[]): Promise<ReadonlyMap<string, Head>> {
  const ids = lines.map(({ id }) => id)
  const heads = new Map<string, Head>()
  for (const { id, headCommit, headFiles } of (await findReposById(ctx.db, ids, '')).values())
    if (headCommit !== null) heads.set(id, { commit: headCommit, files: headFiles })
  return heads
}

/** How the files of a head were found. */
interface HeadSecurity {
  isDone: boolean
  issues: readonly ShownIssue[]
}

/** Files with issues that one page names. */
const maxIssues = 20_000

/**
 * How the files at the heads were found. Not done where a head was not looked at yet, and beyond what one page may name:
 * clients take that for unknown.
 */
async function securityOf(
  ctx: Ctx,
  lines: RepoLine[],
  heads: ReadonlyMap<string, Head>,
): Promise<ReadonlyMap<string, HeadSecurity>> {
  const scans = await headScans(
    ctx.db,
    lines.map(({ id }) => id),
  )
  let left = maxIssues
  const known = lines.flatMap(({ id }) => {
    const scan = scans.get(id)
    if (!scan || scan.commit !== heads.get(id)?.commit) return []
    left -= scan.unsafe + scan.suspicious + scan.failed
    return left < 0 ? [] : [{ id, isDone: scan.missing === 0 }]
  })
  const issues = await headIssues(
    ctx,
    known.map(({ id }) => id),
  )
  const found = new Map(known.map(({ id, isDone }) => [id, { isDone, issues: issues.get(id) ?? [] }]))
  return new Map(lines.map(({ id }) => [id, found.get(id) ?? { isDone: false, issues: [] }]))
}

/** As many lines as a page with files may hold, one at least. */
function cut(lines: TaggedLine[], heads: ReadonlyMap<string, Head>): TaggedLine[] {
  let files = 0
  const end = lines.findIndex(({ id }) => {
    files += Math.min(heads.get(id)?.files ?? 0, MAX_SIBLINGS)
    return files > maxFiles
  })
  return end < 0 ? lines : lines.slice(0, end + 1)
}

/** Lines with their files as a JSON array, in pieces. */
async function* linesJson(
  lines: { id: string; view: Record<string, unknown> }[],
  siblingsAt: (id: string) => AsyncIterable<string>,
): AsyncGenerator<string> {
  yield '['
  for (const [i, { id, view }] of lines.entries()) {
    if (i > 0) yield ','
    yield* withSiblings(view, siblingsAt(id))
  }
  yield ']'
}

/** Reads the short lists of names of some repos at once, which are then at hand. */
async function readAhead(ctx: Ctx, ids: string[], heads: ReadonlyMap<string, Head>): Promise<void> {
  const short = ids.flatMap((repoId) => {
    const head = heads.get(repoId)
    return head && head.files <= maxReadAhead ? [{ repoId, commit: head.commit }] : []
  })
  for (let at = 0; at < short.length; at += lanes)
    await Promise.all(short.slice(at, at + lanes).map((where) => keepNames(ctx, where)))
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
  if (!filters) return c.json([])
  const {
    items,
    next,
    positionOf: placeOf,
  } = await listLines(ctx, filters, { sort, ascending, limit, ...after })
  const heads = needs.commit ? await headsOf(ctx, items) : new Map<string, Head>()
  const shown = needs.siblings ? cut(items, heads) : items
  const last = shown.at(-1)
  const isCut = last !== undefined && shown.length < items.length
  const ids = shown.map(({ id }) => id)
  const parts = needs.parts.filter((part) => part !== 'tags')
  const details = await detailsOf(ctx.db, ids, parts)
  const security = needs.security ? await securityOf(ctx, shown, heads) : new Map<string, HeadSecurity>()
  const counts = needs.children ? await countChildren(ctx, shown.map(keyOf)) : undefined
  const takesChunks = ctx.config.hubapi.chunk === 'ingest'
  const lines = shown.flatMap((repo) => {
    const its = details.get(repo.id)
    if (!its) return []
    its.tags = repo.tags
    const { card } = its
    const commit = heads.get(repo.id)?.commit
    const { findings } = its
    const children = counts && childrenOf(counts, repo)
    const of = { repo, details: its, commit, card, findings, children, takesChunks }
    return [{ id: repo.id, view: describe({ ...of, security: security.get(repo.id) }, wanted) }]
  })
  const following = isCut ? placeOf(last.id) : next
  if (!needs.siblings)
    return pageResponse(
      c,
      lines.map(({ view }) => view),
      following,
    )
  const withBlobs = flagOf(query.get('blobs'))
  if (!withBlobs) await readAhead(ctx, ids, heads)
  const siblingsAt = (id: string) => {
    const head = heads.get(id)
    return head ? siblingsJson(ctx, { repoId: id, commit: head.commit, withBlobs }) : nothing()
  }
  return sendJson(c, linkTo(c, following), linesJson(lines, siblingsAt))
}

async function* nothing(): AsyncGenerator<string> {
  yield '[]'
}
