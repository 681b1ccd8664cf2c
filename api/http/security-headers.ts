import type { Context } from 'hono'
import type { Config } from '../config/index.ts'
import { bucketOrigin, sharesOrigin } from '../storage/index.ts'
import type { Env } from './env.ts'

/**
 * Policy of our own pages (reliability.md §5). Mantine writes style elements, hence `unsafe-inline` for styles alone. What
 * pages send and show may come from the bucket, where clients are sent there.
 */
export function pagePolicy({ server, storage: { backend, s3 } }: Config): string {
  const isShared = backend === 's3' && (s3.upload_mode === 'direct' || s3.download_mode === 'redirect')
  const bucket = isShared && !sharesOrigin(s3, server.public_url) ? ` ${bucketOrigin(s3)}` : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${bucket}`,
    `media-src 'self'${bucket}`,
    "font-src 'self' data:",
    `connect-src 'self'${bucket}`,
    "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** Policy of stored content: nothing runs, nothing loads, the origin is opaque (reliability.md §5). */
export const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** The headers every answer carries, with the policy of pages; a handler that serves stored content replaces it by `contentPolicy`. */
export function answerHeaders(requestId: string, policy: string): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': policy,
  }
}

/** Adds `c.var.headers` to answers that lack them. `sendBlob` has sent them itself by then. */
export function addAnswerHeaders(c: Context<Env>): void {
  if (c.env?.outgoing?.headersSent) return
  const { headers } = c.res
  for (const [name, value] of Object.entries(c.get('headers')))
    if (!headers.has(name)) headers.set(name, value)
}
