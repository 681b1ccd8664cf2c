import type { Context } from 'hono'
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

/** The headers every answer carries; a handler that serves stored content replaces the policy by `contentPolicy`. */
export function answerHeaders(requestId: string): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': pagePolicy,
  }
}

/** Adds `c.var.headers` to answers that lack them. `sendBlob` has sent them itself by then. */
export function addAnswerHeaders(c: Context<Env>): void {
  if (c.env?.outgoing?.headersSent) return
  const { headers } = c.res
  for (const [name, value] of Object.entries(c.get('headers')))
    if (!headers.has(name)) headers.set(name, value)
}
