import type { Context, MiddlewareHandler } from 'hono'
import type { Env } from '../../../core/http/env.ts'
import { headerOf } from '../../../core/http/header.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import type { ErrorSurface } from '../../../core/http/surface.ts'

const exposed = [
  'ETag',
  'Link',
  'Location',
  'Content-Range',
  'Accept-Ranges',
  'Content-Length',
  'Content-Disposition',
  'X-Repo-Commit',
  'X-Linked-Size',
  'X-Linked-ETag',
  'X-Error-Code',
  'X-Error-Message',
  'X-Request-Id',
  'X-Total-Count',
  'X-Revision',
  'X-Xet-Cas-Url',
  'X-Xet-Access-Token',
  'X-Xet-Token-Expiration',
]
// hub-wire.md §1.4: browsers run hub clients from any origin, always with a token and never with our cookie.
const open = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed.join(', ') }
const preflight = {
  ...open,
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Range, X-Request-Id, X-Xet-Session-Id',
  'Access-Control-Max-Age': '86400',
}

/**
 * Opens surfaces to pages of other origins: hub, LFS, chunks, the viewer; the native API stays same-origin. `isOpenHost`:
 * whether all of a host is open.
 */
export const openCors =
  (
    surfaces: Pick<ErrorSurface, 'owns'>[],
    isOpenHost: (c: Context<Env>) => boolean = () => false,
  ): MiddlewareHandler<Env> =>
  (c, next) => {
    if (headerOf(c, 'origin') === undefined) return next()
    const { path, method } = c.req
    const isOpen = isOpenHost(c) || surfaces.some((surface) => surface.owns(path))
    if (path.startsWith(`${nativeBase}/`) || !isOpen) return next()
    if (method === 'OPTIONS') return Promise.resolve(c.body(null, 204, preflight))
    Object.assign(c.var.headers, open)
    return next()
  }
