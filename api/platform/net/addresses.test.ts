import { isIPv4 } from 'node:net'
import { describe, expect, test } from 'vitest'
import { allowedFor, isReachable } from './addresses.ts'
import { alsoBlocked, ipv4Registry, ipv6Registry, registriesUpdated } from './special-addresses.ts'

const none = allowedFor('webhook', [])
const registry = [...ipv4Registry, ...ipv6Registry]

/** The first and the last address of a prefix. */
function edgesOf(prefix: string) {
  const [address = '', bits = ''] = prefix.split('/')
  const size = isIPv4(address) ? 32n : 128n
  const first = numberOf(address)
  const count = 1n << (size - BigInt(bits))
  return { first: textOf(first, size), last: textOf(first + count - 1n, size) }
}

function numberOf(address: string): bigint {
  if (isIPv4(address)) return address.split('.').reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  const [head = '', tail] = address.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...(tail ?? [])].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

function textOf(value: bigint, size: bigint): string {
  if (size === 32n) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')
  return Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 65_535n).toString(16)).join(
    ':',
  )
}

describe('special addresses', () => {
  test('are those of the registries of one date, each once', () => {
    expect(registriesUpdated).toBe('2025-10-09')
    expect([ipv4Registry.length, ipv6Registry.length]).toEqual([26, 25])
    expect(new Set(registry.map(({ prefix }) => prefix)).size).toBe(registry.length)
    for (const { allocated } of registry) expect(allocated <= registriesUpdated.slice(0, 7)).toBe(true)
  })

  test.each([...registry.filter(({ isGloballyReachable }) => !isGloballyReachable), ...alsoBlocked])(
    '$prefix ($name) is blocked from end to end',
    ({ prefix }) => {
      const { first, last } = edgesOf(prefix)
      expect([isReachable(first, none), isReachable(last, none)]).toEqual([false, false])
    },
  )

  test('are reachable where a registry says so, outside of blocks that are not', () => {
    const reachable = registry.filter(({ isGloballyReachable }) => isGloballyReachable)
    const open = reachable.filter(({ prefix }) => isReachable(edgesOf(prefix).first, none))
    expect(open.map(({ prefix }) => prefix)).toEqual([
      '192.31.196.0/24',
      '192.52.193.0/24',
      '192.175.48.0/24',
      '2620:4f:8000::/48',
    ])
  })

  test.each([
    ['IPv4-compatible', '::10.0.0.1'],
    ['IPv4-mapped', '::ffff:10.0.0.1'],
    ['IPv4-translated', '::ffff:0:10.0.0.1'],
    ['NAT64', '64:ff9b::10.0.0.1'],
    ['local NAT64', '64:ff9b:1:a::10.0.0.1'],
    ['6to4', '2002:a00:1::1'],
    ['Teredo', '2001:0:a00:1::f5ff:fffe'],
    ['ISATAP', '2606:4700::5efe:10.0.0.1'],
    ['ISATAP of a public IPv4 address', '2606:4700::200:5efe:8.8.8.8'],
    ['ISATAP behind a long prefix', '2606:4700:1:2:0:5efe:a00:1'],
    ['ISATAP in upper case', '2606:4700:1:2:0200:5EFE:A00:1'],
    ['ISATAP in a link-local address', 'fe80::5efe:a00:1'],
  ])('an IPv4 address within does not pass: %s', (_, address) => {
    expect(isReachable(address, none)).toBe(false)
  })

  test.each([
    '9.255.255.255',
    '11.0.0.0',
    '192.0.1.0',
    '2001:200::1',
    '2606:4700::1111',
    '2a00:5efe::1',
    '3fff:1000::1',
  ])('their neighbour %s is reachable', (address) => {
    expect(isReachable(address, none)).toBe(true)
  })

  test('are reachable where operators allow them, tunnels too', () => {
    const allowed = allowedFor('webhook', ['webhook=fec0::/10', 'webhook=2606:4700::/32'])
    expect(isReachable('fec0::1', allowed)).toBe(true)
    expect(isReachable('2606:4700::5efe:a00:1', allowed)).toBe(true)
    expect(isReachable('fc00::1', allowed)).toBe(false)
  })
})
