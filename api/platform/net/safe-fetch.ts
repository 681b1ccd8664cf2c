import { orAborted } from '../flow/index.ts'
import { OutboundError } from './errors.ts'
import { exchange, type Answer, type Limits, type Outgoing } from './exchange.ts'
import { checkTarget, type Guard } from './target.ts'

/** A request to elsewhere; what is left out has the value of reliability.md §4.5. */
export interface SafeRequest extends Partial<Limits> {
  method?: Outgoing['method']
  headers?: Record<string, string>
  body?: Buffer
  /** From the look-up of the name to the last byte, over all redirects; milliseconds. */
  totalMs?: number
  /** How many redirects are followed; none unless given, so that the redirect itself is the answer. At most 5. */
  redirects?: number
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
    return await follow(url, guard, limits, signal)
  } finally {
    clearTimeout(timer)
  }
}

async function follow(
  url: string,
  guard: Guard,
  request: SafeRequest & Limits,
  signal: AbortSignal,
): Promise<SafeAnswer> {
  const { method = 'GET', headers = {}, body } = request
  let outgoing: Outgoing = { method, headers: { ...headers }, ...(body && { body }) }
  let at = url
  for (let left = Math.min(request.redirects ?? 0, MAX_REDIRECTS); ; left--) {
    // A look-up cannot be stopped, but it need not be waited for.
    const target = await orAborted(checkTarget(at, guard), signal)
    const answer = await exchange(target, outgoing, request, signal)
    const location = REDIRECTING.includes(answer.status) ? answer.headers['location'] : undefined
    if (location === undefined || !request.redirects) return { ...answer, url: target.url.href }
    if (left === 0 || !URL.canParse(location, at)) throw new OutboundError('redirect')
    const next = new URL(location, at)
    if (target.url.protocol === 'https:' && next.protocol !== 'https:') throw new OutboundError('redirect')
    outgoing = redirected(outgoing, answer.status, target.url.origin !== next.origin)
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
