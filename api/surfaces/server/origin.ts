import { randomUUID } from 'node:crypto'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import type { Context } from 'hono'
import type { Config } from '../../platform/config/index.ts'
import type { Origin } from '../../core/ctx.ts'
import type { Env } from '../../core/http/env.ts'
import { headerOf } from '../../core/http/header.ts'

/** The networks of `server.trusted_proxies`; `undefined` without any. */
function trustedProxies({ server }: Config): BlockList | undefined {
  if (server.trusted_proxies.length === 0) return undefined
  const list = new BlockList()
  for (const cidr of server.trusted_proxies) {
    const [network = '', bits] = cidr.split('/')
    const family = isIPv6(network) ? 'ipv6' : 'ipv4'
    list.addSubnet(network, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list
}

/** A plain address: no zone, no port, IPv4 where it is one in disguise (`::ffff:192.0.2.1`). `''` for anything else. */
export function plainAddress(text: string): string {
  if (isIPv4(text)) return text
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  const address = bare.split('%')[0]?.replace(/^::ffff:(\d+(?:\.\d+){3})$/i, '$1') ?? ''
  return isIP(address) ? address : ''
}

function isTrusted(list: BlockList | undefined, address: string): boolean {
  return list !== undefined && address !== '' && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Tells whether the other end of a connection is one of `server.trusted_proxies`. */
export function proxyTest(config: Config): (remoteAddress: string) => boolean {
  const list = trustedProxies(config)
  return (remoteAddress) => isTrusted(list, plainAddress(remoteAddress))
}

/** The rightmost hop that is no trusted proxy: whatever stands left of it, its sender may have made up. */
function clientAddress(peer: string, forwardedFor: string | undefined, list: BlockList | undefined): string {
  let client = peer
  for (const hop of (forwardedFor ?? '').split(',').reverse()) {
    if (!isTrusted(list, client)) break
    const address = plainAddress(hop)
    if (address === '') break
    client = address
  }
  return client
}

/** The last value of a header to which every proxy on the way may have added one. */
const last = (header: string | undefined): string => header?.split(',').at(-1)?.trim() ?? ''

function baseUrl(c: Context<Env>, viaProxy: boolean): string {
  // Built by the HTTP server from the Host header, so well formed; parsing it again would show in every request.
  if (!viaProxy) return c.req.url.slice(0, c.req.url.indexOf('/', c.req.url.indexOf('//') + 2))
  const url = new URL(c.req.url)
  const proto = last(c.req.header('X-Forwarded-Proto'))
  const host = last(c.req.header('X-Forwarded-Host'))
  const scheme = proto === 'https' || proto === 'http' ? proto : url.protocol.slice(0, -1)
  return `${scheme}://${/^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host) ? host : url.host}`
}

/** The caller's own id of a request: Python hub clients send theirs as `X-Amzn-Trace-Id` (huggingface_hub: utils/_http.py). */
function givenId(c: Context<Env>): string | undefined {
  const ids = [headerOf(c, 'x-request-id'), headerOf(c, 'x-amzn-trace-id')]
  return ids.find((id) => id !== undefined && /^[\w.-]{1,128}$/.test(id))
}

/** Reads where a request comes from. Forwarding headers count from `server.trusted_proxies` alone. */
export function originReader(config: Config): (c: Context<Env>) => Origin {
  const list = trustedProxies(config)
  return (c) => originOf(c, list)
}

function originOf(c: Context<Env>, list: BlockList | undefined): Origin {
  const peer = plainAddress(c.env?.incoming?.socket.remoteAddress ?? '')
  const viaProxy = isTrusted(list, peer)
  const given = givenId(c)
  return {
    requestId: given ?? randomUUID(),
    ...(given !== undefined && !viaProxy && { serverId: randomUUID() }),
    ip: clientAddress(peer, headerOf(c, 'x-forwarded-for'), list),
    userAgent: (headerOf(c, 'user-agent') ?? '').slice(0, 512),
    baseUrl: baseUrl(c, viaProxy),
  }
}
