/** A range of addresses that requests of ours do not go to. */
export interface SpecialBlock {
  prefix: string
  name: string
  /** The RFC that made it special, or who else did. */
  source: string
}

/** One row of a registry of IANA. */
export interface RegistryRow extends SpecialBlock {
  /** Year and month. */
  allocated: string
  /** Absent where the registry says "N/A" or gives no value. */
  isGloballyReachable?: boolean
}

/** "Last Updated" of both registries below. */
export const registriesUpdated = '2025-10-09'

const row = (
  prefix: string,
  name: string,
  source: string,
  allocated: string,
  isGloballyReachable?: boolean,
): RegistryRow => ({
  prefix,
  name,
  source,
  allocated,
  ...(isGloballyReachable === undefined ? {} : { isGloballyReachable }),
})

/** IANA IPv4 Special-Purpose Address Registry, whole. */
export const ipv4Registry: readonly RegistryRow[] = [
  row('0.0.0.0/8', 'This network', 'RFC 791', '1981-09', false),
  row('0.0.0.0/32', 'This host on this network', 'RFC 1122', '1981-09', false),
  row('10.0.0.0/8', 'Private-Use', 'RFC 1918', '1996-02', false),
  row('100.64.0.0/10', 'Shared Address Space', 'RFC 6598', '2012-04', false),
  row('127.0.0.0/8', 'Loopback', 'RFC 1122', '1981-09', false),
  row('169.254.0.0/16', 'Link Local', 'RFC 3927', '2005-05', false),
  row('172.16.0.0/12', 'Private-Use', 'RFC 1918', '1996-02', false),
  row('192.0.0.0/24', 'IETF Protocol Assignments', 'RFC 6890', '2010-01', false),
  row('192.0.0.0/29', 'IPv4 Service Continuity Prefix', 'RFC 7335', '2011-06', false),
  row('192.0.0.8/32', 'IPv4 dummy address', 'RFC 7600', '2015-03', false),
  row('192.0.0.9/32', 'Port Control Protocol Anycast', 'RFC 7723', '2015-10', true),
  row('192.0.0.10/32', 'Traversal Using Relays around NAT Anycast', 'RFC 8155', '2017-02', true),
  row('192.0.0.170/32', 'NAT64/DNS64 Discovery', 'RFC 8880', '2013-02', false),
  row('192.0.0.171/32', 'NAT64/DNS64 Discovery', 'RFC 8880', '2013-02', false),
  row('192.0.2.0/24', 'Documentation (TEST-NET-1)', 'RFC 5737', '2010-01', false),
  row('192.31.196.0/24', 'AS112-v4', 'RFC 7535', '2014-12', true),
  row('192.52.193.0/24', 'AMT', 'RFC 7450', '2014-12', true),
  row('192.88.99.0/24', 'Deprecated (6to4 Relay Anycast)', 'RFC 7526', '2001-06'),
  row('192.88.99.2/32', '6a44-relay anycast address', 'RFC 6751', '2012-10', false),
  row('192.168.0.0/16', 'Private-Use', 'RFC 1918', '1996-02', false),
  row('192.175.48.0/24', 'Direct Delegation AS112 Service', 'RFC 7534', '1996-01', true),
  row('198.18.0.0/15', 'Benchmarking', 'RFC 2544', '1999-03', false),
  row('198.51.100.0/24', 'Documentation (TEST-NET-2)', 'RFC 5737', '2010-01', false),
  row('203.0.113.0/24', 'Documentation (TEST-NET-3)', 'RFC 5737', '2010-01', false),
  row('240.0.0.0/4', 'Reserved', 'RFC 1112', '1989-08', false),
  row('255.255.255.255/32', 'Limited Broadcast', 'RFC 8190', '1984-10', false),
]

/** IANA IPv6 Special-Purpose Address Registry, whole. */
export const ipv6Registry: readonly RegistryRow[] = [
  row('::1/128', 'Loopback Address', 'RFC 4291', '2006-02', false),
  row('::/128', 'Unspecified Address', 'RFC 4291', '2006-02', false),
  row('::ffff:0:0/96', 'IPv4-mapped Address', 'RFC 4291', '2006-02', false),
  row('64:ff9b::/96', 'IPv4-IPv6 Translation', 'RFC 6052', '2010-10', true),
  row('64:ff9b:1::/48', 'IPv4-IPv6 Translation', 'RFC 8215', '2017-06', false),
  row('100::/64', 'Discard-Only Address Block', 'RFC 6666', '2012-06', false),
  row('100:0:0:1::/64', 'Dummy IPv6 Prefix', 'RFC 9780', '2025-04', false),
  row('2001::/23', 'IETF Protocol Assignments', 'RFC 2928', '2000-09', false),
  row('2001::/32', 'TEREDO', 'RFC 4380', '2006-01'),
  row('2001:1::1/128', 'Port Control Protocol Anycast', 'RFC 7723', '2015-10', true),
  row('2001:1::2/128', 'Traversal Using Relays around NAT Anycast', 'RFC 8155', '2017-02', true),
  row('2001:1::3/128', 'DNS-SD Service Registration Protocol Anycast', 'RFC 9665', '2024-04', true),
  row('2001:2::/48', 'Benchmarking', 'RFC 5180', '2008-04', false),
  row('2001:3::/32', 'AMT', 'RFC 7450', '2014-12', true),
  row('2001:4:112::/48', 'AS112-v6', 'RFC 7535', '2014-12', true),
  row('2001:10::/28', 'Deprecated (previously ORCHID)', 'RFC 4843', '2007-03'),
  row('2001:20::/28', 'ORCHIDv2', 'RFC 7343', '2014-07', true),
  row('2001:30::/28', 'Drone Remote ID Protocol Entity Tags (DETs)', 'RFC 9374', '2022-12', true),
  row('2001:db8::/32', 'Documentation', 'RFC 3849', '2004-07', false),
  row('2002::/16', '6to4', 'RFC 3056', '2001-02'),
  row('2620:4f:8000::/48', 'Direct Delegation AS112 Service', 'RFC 7534', '2011-05', true),
  row('3fff::/20', 'Documentation', 'RFC 9637', '2024-07', false),
  row('5f00::/16', 'Segment Routing (SRv6) SIDs', 'RFC 9602', '2024-04', false),
  row('fc00::/7', 'Unique-Local', 'RFC 4193', '2005-10', false),
  row('fe80::/10', 'Link-Local Unicast', 'RFC 4291', '2006-02', false),
]

/** Blocked besides what these registries do not call globally reachable (reliability.md §4.3). */
export const alsoBlocked: readonly SpecialBlock[] = [
  // Answers for the platform, with the certificates and settings of the machine that asks.
  { prefix: '168.63.129.16/32', name: 'Azure platform', source: 'Microsoft' },
  { prefix: '224.0.0.0/4', name: 'Multicast', source: 'RFC 5771' },
  { prefix: 'ff00::/8', name: 'Multicast', source: 'RFC 4291' },
  { prefix: 'fec0::/10', name: 'Site-local, deprecated', source: 'RFC 3879' },
  // Each stands for an IPv4 address, which a translator on the way would reach.
  { prefix: '::/96', name: 'IPv4-compatible, deprecated', source: 'RFC 4291' },
  { prefix: '::ffff:0:0:0/96', name: 'IPv4-translated', source: 'RFC 2765' },
  { prefix: '64:ff9b::/96', name: 'IPv4-IPv6 Translation', source: 'RFC 6052' },
]
