import type { MiddlewareHandler } from 'hono'
import type { Env } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { pullThroughOf } from '../../rooms/mirrors/index.ts'

/** Tells that what is answered is what was here, since the upstream could not be asked. */
const STALE = { 'X-Arsenal-Upstream': 'stale' }

/** Lets reads on every surface but the native one bring what is absent from upstreams (`pull.pull_through`). */
export const pullsThrough: MiddlewareHandler<Env> = (c, next) => {
  const ctx = c.get('ctx')
  if (!c.req.path.startsWith(`${nativeBase}/`))
    ctx.pullThrough = pullThroughOf(ctx, () => Object.assign(c.var.headers, STALE))
  return next()
}
