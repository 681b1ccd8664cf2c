import type { MiddlewareHandler } from 'hono'
import type { Env } from '../http/env.ts'
import { headerOf } from '../http/header.ts'
import { nativeBase } from '../http/reference.ts'
import { isHubPath } from './paths.ts'

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
]
// hub-wire.md §1.4: browsers run hub clients from any origin, always with a token and never with our cookie.
const open = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed.join(', ') }
const preflight = {
  ...open,
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Range, X-Request-Id',
  'Access-Control-Max-Age': '86400',
}

/** Opens the hub and LFS surfaces to pages of other origins; the native API stays same-origin. */
export const hubCors: MiddlewareHandler<Env> = async (c, next) => {
  if (headerOf(c, 'origin') === undefined) return next()
  const isOurs = isHubPath(c.req.path) && !c.req.path.startsWith(`${nativeBase}/`)
  if (!isOurs) return next()
  if (c.req.method === 'OPTIONS') return c.body(null, 204, preflight)
  Object.assign(c.var.headers, open)
  return next()
}
