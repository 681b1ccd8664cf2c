import { BlockList, isIP, isIPv4 } from 'node:net'
import { alsoBlocked, ipv4Registry, ipv6Registry } from './special-addresses.ts'

/** What a request is for; operators allow private ranges for each by itself (`security.outbound_allow`). */
export type Purpose = 'webhook' | 'upstream' | 'oidc' | 'viewer' | 'audit'

// A block's exceptions, anycast addresses of protocols that no server here speaks, are blocked with it.
// Without ::ffff:0:0/96, which a BlockList of Node takes for all of IPv4; such addresses are unwrapped before.
const blocked = rangesOf(
  [
    ...[...ipv4Registry, ...ipv6Registry].filter(({ isGloballyReachable }) => !isGloballyReachable),
    ...alsoBlocked,
  ]
    .map(({ prefix }) => prefix)
    .filter((prefix) => prefix !== '::ffff:0:0/96'),
)

// An interface identifier of ISATAP, the low half of an address, ends in an IPv4 address (RFC 5214 §6.1).
const isatap = /:(?:0{0,4}|0?200):0?5efe:[\da-f]{1,4}:[\da-f]{1,4}$/

/** Address ranges as one set. A range without a length is one address. */
function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
  }
  return list
}

/** The ranges that `purpose` may reach although they are private, from entries `purpose=CIDR`. */
export function allowedFor(purpose: Purpose, entries: readonly string[]): BlockList {
  const prefix = `${purpose}=`
  return rangesOf(
    entries.filter((entry) => entry.startsWith(prefix)).map((entry) => entry.slice(prefix.length)),
  )
}

/** Whether requests may be sent to an IP address; what is none may not be reached. */
export function isReachable(address: string, allowed: BlockList): boolean {
  const plain = plainAddress(address)
  if (plain === undefined) return false
  const family = isIPv4(plain) ? 'ipv4' : 'ipv6'
  return allowed.check(plain, family) || !(blocked.check(plain, family) || isatap.test(plain))
}

/** Whether the configuration names a range that holds an IP address. */
export function isAllowed(address: string, allowed: BlockList): boolean {
  const plain = plainAddress(address)
  return plain !== undefined && allowed.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
}

/** In its shortest form, without a zone, and as IPv4 where that is what `::ffff:a.b.c.d` stands for. */
function plainAddress(address: string): string | undefined {
  const [bare = ''] = address.split('%')
  if (isIP(bare) === 0) return undefined
  if (isIPv4(bare)) return bare
  const shortest = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(shortest)
  if (!mapped) return shortest
  return mapped
    .slice(1)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}
