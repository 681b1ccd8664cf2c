import { lookup } from 'node:dns/promises'
import type { Agent } from 'node:http'
import { isIP, type BlockList } from 'node:net'
import { allowedFor, isReachable, type Purpose } from './addresses.ts'
import { count } from '../telemetry/index.ts'
import { OutboundError } from './errors.ts'

/** All addresses of a host name; rejects when there is none. */
export type Lookup = (host: string) => Promise<string[]>

/** Where requests of one purpose may go. */
export interface Guard {
  allowed: BlockList
  lookup: Lookup
  /** `host:port` that the configuration names, wherever they are (reliability.md §4.3). */
  hosts?: ReadonlySet<string>
  /** The proxy that requests to a URL go through; `undefined` where they go there directly. */
  proxyFor?: (url: URL) => Agent | undefined
}

/** An address that was found to be one that requests may be sent to. */
export interface Target {
  url: URL
  /** The only ones to connect to: a name may stand for others a moment later. Empty behind a proxy, which looks it up. */
  addresses: string[]
  /** Connects to the proxy in place of the addresses. */
  proxy?: Agent
}

const systemLookup: Lookup = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/**
 * @param entries `security.outbound_allow`
 * @param configured URLs of the configuration, whose hosts requests of this purpose may reach
 */
export function guardFor(
  purpose: Purpose,
  entries: readonly string[],
  lookup: Lookup = systemLookup,
  configured: readonly string[] = [],
): Guard {
  const hosts = new Set(configured.map((url) => new URL(url).host))
  return { allowed: allowedFor(purpose, entries), lookup, hosts }
}

/**
 * The URL as a request would go to it. Parsing comes first: it turns `127.1`, `2130706433` and full-width digits into the
 * address they stand for. Throws `OutboundError` `invalid-url`, or `blocked` for an IP address that is.
 */
function parseTarget(text: string, { allowed, hosts }: Guard): URL {
  if (!URL.canParse(text)) throw new OutboundError('invalid-url')
  const url = new URL(text)
  const host = bareHost(url)
  if (!['http:', 'https:'].includes(url.protocol) || url.username || url.password || host === '')
    throw new OutboundError('invalid-url')
  if (hosts?.has(url.host)) return url
  if (isIP(host) === 0) {
    if (host.endsWith('.')) throw new OutboundError('invalid-url')
    if (/(^|\.)(localhost|internal)$/.test(host)) throw blocked()
  } else if (!isReachable(host, allowed)) throw blocked()
  return url
}

/**
 * Where a request to `text` goes, with every address of its name looked at: one that is blocked is enough to refuse.
 * Throws `OutboundError`.
 */
export async function checkTarget(text: string, guard: Guard): Promise<Target> {
  const url = parseTarget(text, guard)
  const host = bareHost(url)
  const proxy = guard.proxyFor?.(url)
  // Behind a proxy names are often unknown here, and the proxy decides where they lead.
  if (proxy) return { url, addresses: [], proxy }
  if (isIP(host) !== 0) return { url, addresses: [host] }
  const addresses = await guard.lookup(host).catch((error: unknown) => {
    throw new OutboundError('unresolvable', error)
  })
  if (addresses.length === 0) throw new OutboundError('unresolvable')
  const isConfigured = guard.hosts?.has(url.host) ?? false
  if (!isConfigured && !addresses.every((address) => isReachable(address, guard.allowed))) throw blocked()
  return { url, addresses }
}

/** A refused address, which is counted: many of them are an attack, or a forgotten `security.outbound_allow`. */
function blocked(): OutboundError {
  count('arsenal.ssrf.blocked', {})
  return new OutboundError('blocked')
}

/** Without the brackets around IPv6. */
const bareHost = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')
