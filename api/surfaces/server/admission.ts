import type { Context, MiddlewareHandler } from 'hono'
import type { Deps } from '../../core/ctx.ts'
import { closing } from '../../core/http/closing.ts'
import type { Env } from '../../core/http/env.ts'
import { FairQueue, type QueueCaller, type QueueLimits } from '../../platform/flow/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { count, requestClasses, type RequestClass } from '../../platform/telemetry/index.ts'
import { callerOf } from './caller.ts'

/** What each class takes at once, and how much may wait. */
export type Capacities = Record<RequestClass, QueueLimits>

/** Half of what hub clients wait for a HEAD (huggingface_hub: constants.py, HF_HUB_ETAG_TIMEOUT, 10 s). */
const maxWaitMs = 5000

/** A request that waits took 25 KiB in a measurement of 1000, so all these take 100 MiB. */
const usual: Capacities = {
  api: { atOnce: 256, maxWaiting: 1024, maxWaitMs },
  resolver: { atOnce: 2048, maxWaiting: 1024, maxWaitMs },
  upload: { atOnce: 512, maxWaiting: 512, maxWaitMs },
  git: { atOnce: 128, maxWaiting: 256, maxWaitMs },
  viewer: { atOnce: 128, maxWaiting: 256, maxWaitMs },
  page: { atOnce: 256, maxWaiting: 1024, maxWaitMs },
}

/** Web pages retry by themselves up to this wait. */
const RETRY_AFTER_S = 5

const asked: Record<RequestClass, string> = {
  api: 'API calls',
  resolver: 'downloads',
  upload: 'uploads',
  git: 'git requests',
  viewer: 'dataset queries',
  page: 'page requests',
}

function queueOf(kind: RequestClass, limits: QueueLimits): FairQueue {
  const refusal = () => {
    count('arsenal.requests.refused', { class: kind })
    const detail = `The server has too many ${asked[kind]} at once. Retry in ${RETRY_AFTER_S} s.`
    return new Problem('temporarily-unavailable', { detail, retryAfterS: RETRY_AFTER_S })
  }
  return new FairQueue({ ...limits, refusal })
}

/** Waits for a place. A client that is refused is not made to send its body, so its connection ends. */
function turn(c: Context<Env>, queue: FairQueue, key: string): Promise<QueueCaller> {
  const { actor, signal } = c.var.ctx
  return queue.wait(key, actor.kind !== 'user', signal).catch((error: unknown) => {
    Object.assign(c.var.headers, closing(c))
    throw error
  })
}

/**
 * Frees the place of an answered request when its last byte is sent or its client has gone. An API call ends with its
 * handler: what goes on longer there is the event stream of a job, which costs nothing while it waits.
 */
function leaveAtEnd(c: Context<Env>, kind: RequestClass, queue: FairQueue, caller: QueueCaller): void {
  const { outgoing } = c.env ?? {}
  // Bytes that went past Hono's Response have been sent by now.
  const isOver = kind === 'api' || !outgoing || outgoing.headersSent || outgoing.destroyed
  if (isOver) queue.leave(caller)
  else outgoing.once('close', () => queue.leave(caller))
}

/**
 * The one place that decides when a request is answered: at once while its class has room for its caller, later in the
 * caller's turn, or not at all, with Problem `temporarily-unavailable`. `identifyCaller` goes before it, health checks and
 * metrics do not come by (reliability.md §14).
 */
export function admission(
  { telemetry }: Pick<Deps, 'telemetry'>,
  classOf: (c: Context<Env>) => RequestClass,
  capacities: Capacities = usual,
): MiddlewareHandler<Env> {
  const queues = Object.fromEntries(
    requestClasses.map((kind) => [kind, queueOf(kind, capacities[kind])]),
  ) as Record<RequestClass, FairQueue>
  const read = (value: (queue: FairQueue) => number) => () =>
    requestClasses.map((kind) => ({ value: value(queues[kind]), labels: { class: kind } }))
  telemetry.gauge(
    'arsenal.requests.active',
    read(({ held }) => held),
  )
  telemetry.gauge(
    'arsenal.requests.waiting',
    read(({ waiting }) => waiting),
  )
  return async (c, next) => {
    const kind = classOf(c)
    const queue = queues[kind]
    const ctx = c.get('ctx')
    const key = callerOf(ctx)
    const isAnonymous = ctx.actor.kind !== 'user'
    const caller = queue.enter(key, isAnonymous) ?? (await turn(c, queue, key))
    try {
      await next()
    } finally {
      leaveAtEnd(c, kind, queue, caller)
    }
  }
}
