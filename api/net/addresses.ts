import { BlockList, isIP, isIPv4 } from 'node:net'

/** What a request is for; operators allow private ranges for each by itself (`security.outbound_allow`). */
export type Purpose = 'webhook' | 'upstream' | 'oidc' | 'viewer'

// reliability.md §4.3: this network, private, shared, loopback, cloud metadata, documentation, tunnels, multicast, reserved.
// Without ::ffff:0:0/96, which a BlockList of Node takes for all of IPv4; such addresses are unwrapped before.
const blocked = rangesOf(
  [
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24',
    '192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
    '::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/32 2001:10::/28 2001:20::/28 2001:db8::/32',
    '2002::/16 fc00::/7 fe80::/10 ff00::/8',
  ].flatMap((line) => line.split(' ')),
)

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
  return allowed.check(plain, family) || !blocked.check(plain, family)
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
