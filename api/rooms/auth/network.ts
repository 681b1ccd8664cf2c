import { isIPv6 } from 'node:net'

/** Who an address counts as: itself, or the /64 of an IPv6 subscriber, who holds all of it. */
export function networkOf(ip: string): string {
  return isIPv6(ip) ? `${network64(ip)}::/64` : ip
}

/** The first four groups of an IPv6 address, written out. */
function network64(ip: string): string {
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const before = groups(head)
  const missing = tail === undefined ? 0 : 8 - before.length - groups(tail).length
  const all = [...before, ...Array<string>(Math.max(missing, 0)).fill('0'), ...groups(tail ?? '')]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
