import type { Context, MiddlewareHandler } from 'hono'
import type { App, Env } from '../../core/http/env.ts'
import { sendBlob } from '../../core/http/bytes.ts'
import { headerOf } from '../../core/http/header.ts'
import type { ErrorSurface } from '../../core/http/surface.ts'
import {
  answerViewer,
  downloadSmall,
  readAsset,
  viewerBase,
  viewerEndpoints,
  ViewerFault,
} from '../../rooms/datasets/index.ts'
import { fromChunks } from '../../stores/storage/index.ts'
import { viewerErrorResponse } from './errors.ts'

const ANSWER_AGE_S = 120
const ASSET_AGE_S = 3600
const assetPolicy = "sandbox; default-src 'none'"

/** The viewer's API below `viewerBase`. */
export const viewerSurface: ErrorSurface = {
  owns: (path) => path === viewerBase || path.startsWith(`${viewerBase}/`),
  render: viewerErrorResponse,
  requestClass: 'viewer',
}

/** Whether a request came to the viewer's own host name: clients put `datasets-server.` before ours. */
export const isViewerHost = (c: Context<Env>): boolean =>
  headerOf(c, 'host')?.toLowerCase().startsWith('datasets-server.') === true

async function answer(c: Context<Env>, endpoint: string): Promise<Response> {
  const { body, revision, isPublic } = await answerViewer(c.var.ctx, endpoint, (name) => c.req.query(name))
  return c.body(body, 200, {
    'Content-Type': 'application/json',
    'X-Revision': revision,
    'Cache-Control': isPublic ? `max-age=${ANSWER_AGE_S}` : 'private, no-store',
  })
}

async function sendDownload(c: Context<Env>): Promise<Response> {
  const { bytes, fileName, revision } = await downloadSmall(
    c.var.ctx,
    (name) => c.req.query(name),
    c.req.queries('column') ?? [],
  )
  return c.body(new Uint8Array(bytes), 200, {
    'Content-Type': 'application/vnd.apache.parquet',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'X-Revision': revision,
    'Cache-Control': 'private, no-store',
  })
}

async function sendAsset(c: Context<Env>): Promise<Response> {
  const url = new URL(c.req.url)
  const parts = url.pathname.slice(`${viewerBase}/assets/`.length).split('/').map(decoded)
  const { bytes, mime } = await readAsset(c.var.ctx, c.req.url, parts, c.req.query('at'))
  const isShown = mime !== 'application/octet-stream'
  return sendBlob(c, {
    sizeBytes: bytes.length,
    headers: {
      'Content-Type': mime,
      'Content-Disposition': isShown ? 'inline' : 'attachment',
      'Content-Security-Policy': assetPolicy,
      'Cache-Control': `private, max-age=${ASSET_AGE_S}`,
    },
    open: (range) => fromChunks(range ? bytes.subarray(range.offset, range.offset + range.length) : bytes),
  })
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new ViewerFault('ResponseNotFound', 'There is no such asset.')
  }
}

/** Mounts the viewer's API. */
export function mountViewer(app: App): void {
  app.get(`${viewerBase}/assets/*`, sendAsset)
  app.get(`${viewerBase}/download`, sendDownload)
  for (const endpoint of viewerEndpoints) app.get(`${viewerBase}/${endpoint}`, (c) => answer(c, endpoint))
  app.all(`${viewerBase}/*`, () => {
    throw new ViewerFault('ResponseNotFound', 'The viewer has no such endpoint.')
  })
}

/**
 * `datasets` builds the viewer's address from ours. Operators may let that name lead here; nothing but the viewer answers
 * under it.
 */
export const viewerHost: MiddlewareHandler<Env> = (c, next) =>
  isViewerHost(c) && !viewerSurface.owns(c.req.path) ? answerOfHost(c) : next()

async function answerOfHost(c: Context<Env>): Promise<Response> {
  try {
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    return await answer(c, isRead ? c.req.path.slice(1) : '')
  } catch (error) {
    return viewerErrorResponse(c, error)
  }
}
