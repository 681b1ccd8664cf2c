import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { Env } from '../../core/http/env.ts'
import { isHead } from '../../core/http/head.ts'
import type { BegunRequest } from '../../platform/telemetry/index.ts'

/** The status of an answer: bytes sent past Hono's Response leave a mark there instead of theirs. */
export function answeredStatus(c: Context<Env>): number {
  const { outgoing } = c.env ?? {}
  return outgoing?.headersSent ? outgoing.statusCode : c.res.status
}

/**
 * Logs an answered request that began at `startedAt` (`performance.now()`): one line, at `info` when it changed something
 * or failed, else at `debug`.
 */
export function logRequest(c: Context<Env>, startedAt: number, begun?: BegunRequest): void {
  const { log, origin } = c.get('ctx')
  const status = answeredStatus(c)
  const quiet = status < 400 && (c.req.method === 'GET' || c.req.method === 'HEAD')
  if (quiet && !log.isLevelEnabled('debug')) return
  log[quiet ? 'debug' : 'info'](
    {
      request_id: origin.requestId,
      ...begun?.ids(),
      ...(origin.serverId !== undefined && { server_id: origin.serverId }),
      method: isHead(c) ? 'HEAD' : c.req.method,
      route: routePath(c),
      path: c.req.path,
      status,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      ip: origin.ip,
    },
    'request',
  )
}
