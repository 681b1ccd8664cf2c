import type { Context } from 'hono'
import type { Config } from '../../platform/config/index.ts'
import { bucketOrigin, sharesOrigin } from '../../stores/storage/index.ts'
import type { Env } from './env.ts'

/**
 * Policy of our own pages (reliability.md §5). Mantine writes style elements, hence `unsafe-inline` for styles alone. What
 * pages send and show may come from the bucket, where clients are sent there.
 */
function pagePolicy({ server, storage: { backend, s3 } }: Config): string {
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

/** The policy of a page that other sites may show within theirs. */
export const framable = (policy: string): string =>
  policy.replace("frame-ancestors 'none'", 'frame-ancestors *')

/** Policy of stored content: nothing runs, nothing loads, the origin is opaque (reliability.md §5). */
export const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * What a page carries beside the headers of every answer: no other site's window can reach it, and it uses no device.
 * Nothing here signs in by a popup, which `same-origin` would cut off from its opener.
 */
export const pageHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': [
    'accelerometer=()',
    'camera=()',
    'display-capture=()',
    'geolocation=()',
    'gyroscope=()',
    'hid=()',
    'magnetometer=()',
    'microphone=()',
    'midi=()',
    'payment=()',
    'serial=()',
    'usb=()',
  ].join(', '),
} as const

/** What the answers of one server have in common. */
export interface AnswerPolicy {
  contentSecurity: string
  /** Set when browsers reach the server by https. */
  transport: string | undefined
}

/** The policy of a server's answers; `includeSubDomains` is left to who owns the domain. */
export function answerPolicy(config: Config): AnswerPolicy {
  const isSecure = new URL(config.server.public_url).protocol === 'https:'
  return { contentSecurity: pagePolicy(config), transport: isSecure ? 'max-age=31536000' : undefined }
}

/**
 * The headers every answer carries unless its handler says otherwise: one that serves stored content sends
 * `contentPolicy`, one whose answer anyone may have says how long it may be kept.
 */
export function answerHeaders(requestId: string, policy: AnswerPolicy): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': policy.contentSecurity,
    'Cache-Control': 'private, no-store',
  }
  if (policy.transport !== undefined) headers['Strict-Transport-Security'] = policy.transport
  return headers
}

/** Adds `c.var.headers` to answers that lack them. `sendBlob` has sent them itself by then. */
export function addAnswerHeaders(c: Context<Env>): void {
  if (c.env?.outgoing?.headersSent) return
  const { headers } = c.res
  for (const [name, value] of Object.entries(c.get('headers')))
    if (!headers.has(name)) headers.set(name, value)
}
