import type { MiddlewareHandler } from 'hono'
import type { Env } from './env.ts'

/** Policy of our own pages (reliability.md §5). Mantine writes style elements, hence `unsafe-inline` for styles alone. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self'",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** Policy of stored content: nothing runs, nothing loads, the origin is opaque (reliability.md §5). */
export const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Sets the headers every answer carries; a handler that serves stored content replaces the policy by `contentPolicy`. */
export const securityHeaders: MiddlewareHandler<Env> = async (c, next) => {
  c.header('X-Request-Id', c.var.ctx.origin.requestId)
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('Referrer-Policy', 'no-referrer')
  c.header('Content-Security-Policy', pagePolicy)
  await next()
}
