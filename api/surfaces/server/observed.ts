import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { Env } from '../../core/http/env.ts'
import { headerOf } from '../../core/http/header.ts'
import { isHead } from '../../core/http/head.ts'
import { noTelemetry, type TraceIds } from '../../platform/telemetry/index.ts'
import { operationOf } from './request-operation.ts'
import { answeredStatus } from './request-log.ts'

/**
 * Answers a request, which began at `begun` (`performance.now()`), as one that telemetry sees. A trace goes on only where a trusted proxy says so: callers could choose
 * what is sampled, and mix their traces with those of others.
 */
export function observed(
  c: Context<Env>,
  begun: number,
  isProxy: (remoteAddress: string) => boolean,
  answer: (ids?: () => TraceIds) => Promise<void>,
): Promise<void> {
  const { origin, telemetry } = c.get('ctx')
  if (telemetry.serve === noTelemetry.serve) return answer()
  const { incoming, outgoing } = c.env ?? {}
  const method = isHead(c) ? 'HEAD' : c.req.method
  const { path } = c.req
  const parent = headerOf(c, 'traceparent')
  const request = {
    method,
    path,
    requestId: origin.requestId,
    begun,
    userAgent: origin.userAgent,
    parent: parent && isProxy(incoming?.socket.remoteAddress ?? '') ? parent : undefined,
    operation: operationOf(method, path),
    outgoing,
    answered: () => ({ route: routePath(c), status: answeredStatus(c) }),
  }
  return telemetry.serve(request, answer)
}
