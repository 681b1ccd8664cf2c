import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { Env } from '../../core/http/env.ts'
import { headerOf } from '../../core/http/header.ts'
import { isHead } from '../../core/http/head.ts'
import { noTelemetry, type Answered, type BegunRequest } from '../../platform/telemetry/index.ts'
import { operationOf } from './request-operation.ts'
import { answeredStatus } from './request-log.ts'

/**
 * Begins a request, which came in at `startedAt` (`performance.now()`), as one that telemetry sees; `undefined` where nothing is
 * exported. A trace goes on only where a trusted proxy says so: callers could choose what is sampled, and mix their traces with
 * those of others.
 */
export function observed(
  c: Context<Env>,
  startedAt: number,
  isProxy: (remoteAddress: string) => boolean,
): BegunRequest | undefined {
  const { origin, telemetry } = c.get('ctx')
  if (telemetry.beginRequest === noTelemetry.beginRequest) return undefined
  const { incoming, outgoing } = c.env ?? {}
  const method = isHead(c) ? 'HEAD' : c.req.method
  const { path } = c.req
  const parent = headerOf(c, 'traceparent')
  return telemetry.beginRequest({
    method,
    path,
    requestId: origin.requestId,
    startedAt,
    userAgent: origin.userAgent,
    parent: parent && isProxy(incoming?.socket.remoteAddress ?? '') ? parent : undefined,
    operation: operationOf(method, path),
    outgoing,
  })
}

/** What is reported of an answered request. */
export const answered = (c: Context<Env>): Answered => ({ route: routePath(c), status: answeredStatus(c) })
