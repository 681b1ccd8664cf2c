import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import type { Repo } from '../../repos/index.ts'
import { describeStatistics, filterRows, searchRows } from './endpoints/find.ts'
import { describeInfo } from './endpoints/info.ts'
import { describeValidity } from './endpoints/is-valid.ts'
import { listParquet } from './endpoints/parquet.ts'
import { firstRows, pageRows } from './endpoints/rows.ts'
import { describeSize } from './endpoints/size.ts'
import { querySql } from './endpoints/sql.ts'
import { listSplits } from './endpoints/splits.ts'
import { DataFault, TooBig } from './fault.ts'
import { openViewed, requireViewed, type Viewed } from './open.ts'
import type { Params } from './params.ts'
import { ViewerFault } from './viewer-fault.ts'

/** An answer of the viewer's API. */
export interface ViewerAnswer {
  /** JSON text. */
  body: string
  /** Commit that it was built from. */
  revision: string
  /** Anyone may see it, so caches may keep it. */
  isPublic: boolean
}

type Endpoint = (ctx: Ctx, viewed: Viewed, params: Params) => Promise<string> | string

const described =
  (describe: (viewed: Viewed, params: Params) => unknown): Endpoint =>
  (_, viewed, params) =>
    JSON.stringify(describe(viewed, params))

const endpoints: Record<string, Endpoint> = {
  'is-valid': async (ctx, viewed, params) =>
    JSON.stringify(describeValidity(viewed, params, await previewsOf(ctx, viewed.repo))),
  splits: described(listSplits),
  'first-rows': firstRows,
  rows: pageRows,
  search: searchRows,
  filter: filterRows,
  sql: querySql,
  statistics: describeStatistics,
  parquet: (ctx, viewed, params) => JSON.stringify(listParquet(ctx, viewed, params)),
  size: described(describeSize),
  info: described(describeInfo),
}

/** Names of the endpoints, without their slash. */
export const viewerEndpoints = Object.keys(endpoints)

/** Splits whose first rows are kept from before their conversion, as `config\nsplit`. */
async function previewsOf({ db }: Ctx, { id }: Repo): Promise<Set<string>> {
  const { dataset_answers: a } = db.t
  const rows = await db.q
    .select({ config: a.config, split: a.split })
    .from(a)
    .where(and(eq(a.repo_id, id), eq(a.kind, 'first_rows')))
  return new Set(rows.map(({ config, split }) => `${config}\n${split}`))
}

/**
 * Answers one endpoint of the viewer's API, named without its slash. Throws `ViewerFault` with the commit where it is
 * known, and Problems of the server itself.
 */
export async function answerViewer(ctx: Ctx, endpoint: string, params: Params): Promise<ViewerAnswer> {
  const answer = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined
  if (!answer) throw new ViewerFault('ResponseNotFound', 'The viewer has no such endpoint.')
  const repo = await requireViewed(ctx, params)
  const viewed = await openViewed(ctx, repo)
  const { revision } = viewed
  try {
    const body = await answer(ctx, viewed, params)
    const isPublic = ctx.config.security.anonymous_read && repo.visibility === 'public' && repo.gated === null
    return { body, revision, isPublic }
  } catch (error) {
    throw Object.assign(toFault(error), { revision })
  }
}

function toFault(error: unknown): Error {
  if (error instanceof TooBig) return new ViewerFault('TooBigContentError', error.message, { cause: error })
  if (error instanceof DataFault)
    return new ViewerFault('UnexpectedApiError', error.message, { cause: error })
  return error instanceof Error ? error : new Error('not an error', { cause: error })
}
