import type { Context, MiddlewareHandler } from 'hono'
import { requireRepo } from '../../../rooms/repos/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { headerOf } from '../../../core/http/header.ts'
import { Problem } from '../../../platform/problems/index.ts'

interface Answer {
  status: 404 | 500
  code: string
  error: string
}

// `datasets` takes any failure for "ask the repo itself"; these are the public viewer's words (hub-wire.md §11.3).
const notReady: Answer = {
  status: 500,
  code: 'ResponseNotReady',
  error: 'The response is not ready yet: no dataset is converted by this server.',
}
const notFound: Answer = {
  status: 404,
  code: 'DatasetNotFoundError',
  error: 'The dataset does not exist, or is not accessible without authentication (private or gated).',
}
const noSuchPath: Answer = { status: 404, code: 'NotFound', error: 'Not found.' }

const paths = new Set(
  'info parquet splits is-valid size rows first-rows search filter statistics opt-in-out-urls croissant'
    .split(' ')
    .map((word) => `/${word}`),
)

async function answerFor(c: Context<Env>): Promise<Answer> {
  if (!paths.has(c.req.path)) return noSuchPath
  const [ns = '', name = ''] = (c.req.query('dataset') ?? '').split('/', 2)
  try {
    await requireRepo(c.var.ctx, { type: 'dataset', ns, name }, 'repo.read')
    return notReady
  } catch (error) {
    // A repo that has moved is none at this address either.
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return notFound
  }
}

/**
 * Clients of datasets build the viewer's address from ours: `datasets-server.` before the host. Operators may let that
 * name lead here; nothing but the viewer answers under it.
 */
export const viewerHost: MiddlewareHandler<Env> = async (c, next) => {
  if (!headerOf(c, 'host')?.toLowerCase().startsWith('datasets-server.')) return next()
  const { status, code, error } = await answerFor(c)
  return c.json({ error }, status, { 'X-Error-Code': code, 'X-Error-Message': error })
}
