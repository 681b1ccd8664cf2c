import { Readable } from 'node:stream'
import { orAborted } from '../flow/index.ts'
import { OutboundError } from './errors.ts'
import {
  exchange,
  openExchange,
  type Answer,
  type Limits,
  type OpenAnswer,
  type Outgoing,
  type OutgoingBody,
} from './exchange.ts'
import { checkTarget, type Guard, type Target } from './target.ts'

/** A request to elsewhere; what is left out has the value of reliability.md §4.5. */
export interface SafeRequest extends Partial<Limits> {
  method?: Outgoing['method']
  headers?: Record<string, string>
  /** A stream is sent once: no redirect is followed then. */
  body?: OutgoingBody
  /** From the look-up of the name to the last byte, over all redirects; milliseconds. */
  totalMs?: number
  /** How many redirects are followed; none unless given, so that the redirect itself is the answer. At most 5. */
  redirects?: number
  /** A redirect to another origin fails with `redirect`. */
  isBoundToOrigin?: boolean
  /** Ends the request; its reason is thrown. */
  signal?: AbortSignal
}

export interface SafeAnswer extends Answer {
  /** Where it came from in the end. */
  url: string
}

const usual: Limits & { totalMs: number } = {
  connectMs: 5_000,
  firstByteMs: 15_000,
  totalMs: 30_000,
  maxBytes: 1024 * 1024,
  beyond: 'refuse',
}
const MAX_REDIRECTS = 5
const REDIRECTING = [301, 302, 303, 307, 308]
const credentials = /^(authorization|proxy-authorization|cookie)$/i

/**
 * The only way for this server to ask another one: the address is checked, the checked address is dialled, every redirect
 * is checked again, and time and size have limits (reliability.md §4). Throws `OutboundError`.
 */
export async function safeFetch(url: string, guard: Guard, request: SafeRequest = {}): Promise<SafeAnswer> {
  const limits = { ...usual, ...request }
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(new OutboundError('timeout')), limits.totalMs)
  const signal = request.signal ? AbortSignal.any([ending.signal, request.signal]) : ending.signal
  try {
    return await follow(url, guard, limits, signal, (target, outgoing) =>
      exchange(target, outgoing, limits, signal),
    )
  } finally {
    clearTimeout(timer)
  }
}

/** A request whose answer may be long: nothing but silence ends it. */
export interface StreamRequest extends Pick<
  SafeRequest,
  'method' | 'headers' | 'body' | 'redirects' | 'isBoundToOrigin' | 'signal'
> {
  connectMs?: number
  firstByteMs?: number
  /** How long the body may be silent; milliseconds. */
  stallMs?: number
}

export interface StreamAnswer extends OpenAnswer {
  /** Where it came from in the end. */
  url: string
}

const patient = { connectMs: 10_000, firstByteMs: 30_000, stallMs: 60_000 }

/**
 * As `safeFetch`, for answers of any length: the body comes as it arrives, and the request fails with `timeout` when
 * nothing has come for `stallMs`. The reader bounds what it takes, and reads to the end or calls `close`.
 */
export async function safeStream(
  url: string,
  guard: Guard,
  request: StreamRequest = {},
): Promise<StreamAnswer> {
  const limits = { ...patient, ...request }
  const stalled = new AbortController()
  const signal = request.signal ? AbortSignal.any([stalled.signal, request.signal]) : stalled.signal
  const answer = await follow(url, guard, limits, signal, (target, outgoing) =>
    openExchange(target, outgoing, limits, signal),
  )
  return { ...answer, body: watched(answer.body, limits.stallMs, stalled) }
}

/** Only waiting for the sender counts as silence: a reader may take its time. */
async function* watched(
  body: AsyncIterable<Buffer>,
  stallMs: number,
  stalled: AbortController,
): AsyncGenerator<Buffer> {
  let isWaiting = false
  const timer = setTimeout(() => isWaiting && stalled.abort(new OutboundError('timeout')), stallMs)
  try {
    isWaiting = true
    for await (const chunk of body) {
      isWaiting = false
      yield chunk
      isWaiting = true
      timer.refresh()
    }
  } finally {
    clearTimeout(timer)
  }
}

async function follow<A extends { status: number; headers: Record<string, string>; close?: () => void }>(
  url: string,
  guard: Guard,
  request: Pick<SafeRequest, 'method' | 'headers' | 'body' | 'redirects' | 'isBoundToOrigin'>,
  signal: AbortSignal,
  send: (target: Target, outgoing: Outgoing) => Promise<A>,
): Promise<A & { url: string }> {
  const { method = 'GET', headers = {}, body } = request
  let outgoing: Outgoing = { method, headers: { ...headers }, ...(body && { body }) }
  let at = url
  const redirects = body instanceof Readable ? 0 : (request.redirects ?? 0)
  for (let left = Math.min(redirects, MAX_REDIRECTS); ; left--) {
    // A look-up cannot be stopped, but it need not be waited for.
    const target = await orAborted(checkTarget(at, guard), signal)
    const answer = await send(target, outgoing)
    const location = REDIRECTING.includes(answer.status) ? answer.headers['location'] : undefined
    if (location === undefined || redirects === 0) return { ...answer, url: target.url.href }
    answer.close?.()
    if (left === 0 || !URL.canParse(location, at)) throw new OutboundError('redirect')
    const next = new URL(location, at)
    if (target.url.protocol === 'https:' && next.protocol !== 'https:') throw new OutboundError('redirect')
    const isElsewhere = target.url.origin !== next.origin
    if (isElsewhere && request.isBoundToOrigin) throw new OutboundError('redirect')
    outgoing = redirected(outgoing, answer.status, isElsewhere)
    at = next.href
  }
}

/** As browsers do (Fetch standard, HTTP-redirect fetch); credentials stay with the origin they were meant for. */
function redirected({ method, headers, body }: Outgoing, status: number, isElsewhere: boolean): Outgoing {
  const kept = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !isElsewhere || !credentials.test(name)),
  )
  const becomesGet = method === 'POST' && status < 307
  return becomesGet ? { method: 'GET', headers: kept } : { method, headers: kept, ...(body && { body }) }
}
