import type { Ctx } from '../../core/ctx.ts'
import {
  environmentProxy,
  guardFor,
  OutboundError,
  safeFetch,
  safeStream,
  type Guard,
  type SafeAnswer,
  type StreamAnswer,
} from '../../platform/net/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { pauseAsked, pauseLeft, rememberPause, throttled } from './pace.ts'
import type { Upstream } from './upstream.ts'

/** Who asks an upstream, and with which token. */
export interface Caller {
  upstream: Upstream
  /** A token of the upstream, never one of ours. */
  token?: string | undefined
  signal?: AbortSignal | undefined
}

type Deps = Pick<Ctx, 'config' | 'db' | 'log' | 'now'>

export interface AskOptions {
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  body?: Buffer
  /** A redirect to another origin fails. */
  isBoundToOrigin?: boolean
  /** Of the answer; refused beyond. */
  maxBytes?: number
  /** Over all; milliseconds. */
  totalMs?: number
}

const AGENT = 'arsenal'
const REDIRECTS = 5
/** Answers of the API, such as a tree with thousands of files. */
const MAX_JSON_BYTES = 32 * 1024 * 1024
const RETRY_AFTER_S = 30

const guards = new WeakMap<Upstream, Guard>()

/** Where requests to an upstream may go: its own host wherever that is, if the configuration names it; else what is public. */
function guardOf({ config }: Pick<Ctx, 'config'>, upstream: Upstream): Guard {
  const hosts = upstream.isConfigured ? [upstream.baseUrl, upstream.viewerUrl] : []
  const guard = guards.get(upstream) ?? {
    ...guardFor('upstream', config.security.outbound_allow, undefined, hosts),
    proxyFor: environmentProxy,
  }
  guards.set(upstream, guard)
  return guard
}

const headersOf = ({ token }: Caller, headers: Record<string, string> = {}) => ({
  'User-Agent': AGENT,
  ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  ...headers,
})

const fullUrl = ({ upstream }: Caller, pathOrUrl: string) =>
  pathOrUrl.startsWith('/') ? `${upstream.baseUrl}${pathOrUrl}` : pathOrUrl

/**
 * Asks the API of an upstream. Any status is an answer, but for those that ask to wait: they are `upstream-throttled`, also
 * for the callers after this one. `upstream-unavailable` where no answer came. The token goes to the upstream's own origin
 * alone.
 */
export async function askUpstream(
  ctx: Deps,
  caller: Caller,
  path: string,
  { maxBytes = MAX_JSON_BYTES, totalMs = 30_000, headers, ...options }: AskOptions = {},
): Promise<SafeAnswer> {
  return inPace(ctx, caller, () =>
    safeFetch(fullUrl(caller, path), guardOf(ctx, caller.upstream), {
      ...options,
      headers: headersOf(caller, headers),
      maxBytes,
      totalMs,
      firstByteMs: Math.min(totalMs, 15_000),
      redirects: REDIRECTS,
      ...(caller.signal && { signal: caller.signal }),
    }),
  )
}

/** As `askUpstream`, for an answer of any length, which its reader reads to the end or closes. */
export async function streamUpstream(
  ctx: Deps,
  caller: Caller,
  path: string,
  { headers, ...options }: Omit<AskOptions, 'maxBytes' | 'totalMs'> = {},
): Promise<StreamAnswer> {
  return inPace(ctx, caller, () =>
    safeStream(fullUrl(caller, path), guardOf(ctx, caller.upstream), {
      ...options,
      headers: headersOf(caller, headers),
      redirects: REDIRECTS,
      ...(caller.signal && { signal: caller.signal }),
    }),
  )
}

async function inPace<A extends { status: number; headers: Record<string, string>; close?: () => void }>(
  ctx: Deps,
  { upstream }: Caller,
  ask: () => Promise<A>,
): Promise<A> {
  const leftMs = await pauseLeft(ctx, upstream)
  if (leftMs > 0) throw throttled(upstream, Math.ceil(leftMs / 1000))
  const answer = await ask().catch((error: unknown) => {
    throw error instanceof OutboundError ? unavailable(upstream, error) : error
  })
  const seconds = pauseAsked(answer, ctx.now())
  if (seconds === undefined) return answer
  answer.close?.()
  await rememberPause(ctx, upstream, seconds)
  throw throttled(upstream, seconds)
}

/** The problem of an upstream that did not answer, or not as a hub does. */
export function unavailable({ name }: Pick<Upstream, 'name'>, cause: unknown): Problem {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Problem('upstream-unavailable', {
    detail: `${name} did not answer as expected. ${reason}`,
    retryAfterS: RETRY_AFTER_S,
    cause,
  })
}

/** The JSON of an answer. Problem `upstream-unavailable` where it is none. */
export function jsonOf({ upstream }: Pick<Caller, 'upstream'>, { body }: Pick<SafeAnswer, 'body'>): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    throw unavailable(upstream, new Error('Its answer is not JSON.', { cause: error }))
  }
}
