import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { Env } from '../http/env.ts'
import { nativeBase } from '../http/reference.ts'
import { isHubPath } from './paths.ts'

// hub-wire.md §1.4: browsers run hub clients from any origin, always with a token and never with our cookie.
const anyOrigin: MiddlewareHandler<Env> = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: ['Authorization', 'Content-Type', 'Range', 'X-Request-Id'],
  exposeHeaders: [
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
  ],
  maxAge: 86_400,
})

/** Opens the hub and LFS surfaces to pages of other origins; the native API stays same-origin. */
export const hubCors: MiddlewareHandler<Env> = (c, next) =>
  isHubPath(c.req.path) && !c.req.path.startsWith(`${nativeBase}/`) ? anyOrigin(c, next) : next()
