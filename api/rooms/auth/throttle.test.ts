import { beforeEach, expect, test } from 'vitest'
import { eachDatabase } from '../../testing.ts'
import {
  countFailure,
  forgetFailures,
  ipKey,
  liftLocks,
  nameKey,
  pairKey,
  refuseLocked,
  refuseLockedNow,
} from './throttle.ts'

const minuteMs = 60_000

eachDatabase('throttle', (world) => {
  let user = ''
  let key = ''
  let n = 0
  beforeEach(() => {
    user = `User-${n++}`
    key = pairKey(user, '192.0.2.1')
  })

  const later = (ms: number) => (world.clock.now = new Date(world.clock.now.getTime() + ms))
  const fail = async (times: number, of = key) => {
    for (let i = 0; i < times; i++) await world.db.write((tx) => countFailure(tx, [of], world.clock.now))
  }
  const waitS = async (of = key): Promise<number | undefined> => {
    const refusals = await Promise.allSettled([
      refuseLocked(world.deps, [of]),
      world.db.write((tx) => refuseLockedNow(tx, [of], world.clock.now)),
    ])
    const [a, b] = refusals.map((refusal) =>
      refusal.status === 'rejected' ? (refusal.reason as { retryAfterS: number }).retryAfterS : undefined,
    )
    expect(a).toBe(b)
    return a
  }

  test('ten failures in a quarter of an hour lock a username at an address', async () => {
    await fail(9)
    expect(await waitS()).toBeUndefined()
    await fail(1)
    expect(await waitS()).toBe(15 * 60)
    later(15 * minuteMs - 1)
    expect(await waitS()).toBe(1)
    later(1)
    expect(await waitS()).toBeUndefined()
  })

  test('failures of more than a quarter of an hour ago do not count', async () => {
    await fail(9)
    later(15 * minuteMs)
    await fail(9)
    expect(await waitS()).toBeUndefined()
  })

  test('the wait doubles with each repetition, up to an hour, and starts over after a quiet hour', async () => {
    const waits: (number | undefined)[] = []
    for (let i = 0; i < 4; i++) {
      await fail(10)
      const wait = await waitS()
      waits.push(wait)
      later((wait ?? 0) * 1000)
    }
    expect(waits.map((wait) => (wait ?? 0) / 60)).toEqual([15, 30, 60, 60])
    later(60 * minuteMs)
    await fail(10)
    expect(await waitS()).toBe(15 * 60)
  })

  test('a lock on one address forgets nothing that another has failed in the same quarter of an hour', async () => {
    const [address, other] = [ipKey('198.51.100.200'), pairKey(`${user}-other`, '198.51.100.200')]
    await fail(49, address)
    later(14 * minuteMs)
    await fail(10, other)
    expect(await waitS(other)).toBe(15 * 60)
    await fail(1, address)
    expect(await waitS(address)).toBe(15 * 60)
  })

  test('fifty failures lock an address', async () => {
    const address = ipKey(`192.0.2.${n}`)
    await fail(49, address)
    expect(await waitS(address)).toBeUndefined()
    await fail(1, address)
    expect(await waitS(address)).toBe(15 * 60)
  })

  test('a hundred failures lock a username at addresses that are unknown', async () => {
    await fail(99, nameKey(user))
    expect(await waitS(nameKey(user))).toBeUndefined()
    await fail(1, nameKey(user))
    expect(await waitS(nameKey(user))).toBe(15 * 60)
    expect(await waitS()).toBeUndefined()
  })

  test('a success clears the username at this address, and nothing that strangers may have failed', async () => {
    const keys = [key, ipKey(`198.51.100.${n}`), nameKey(user)]
    for (const each of keys) await fail(9, each)
    await world.db.write((tx) => forgetFailures(tx, user, keys))
    await fail(9)
    expect(await waitS()).toBeUndefined()
    await fail(41, keys[1])
    expect(await waitS(keys[1])).toBe(15 * 60)
    await fail(91, keys[2])
    expect(await waitS(keys[2])).toBe(15 * 60)
  })

  test('an admin lifts every lock on a username, and on no other', async () => {
    const [elsewhere, longer] = [pairKey(user, '2001:db8::1'), pairKey(`${user}0`, '192.0.2.1')]
    for (const each of [key, elsewhere, longer]) await fail(10, each)
    await fail(100, nameKey(user))
    await world.db.write((tx) => liftLocks(tx, user.toUpperCase()))
    for (const each of [key, elsewhere, nameKey(user)]) expect(await waitS(each)).toBeUndefined()
    expect(await waitS(longer)).toBe(15 * 60)
  })

  test('failures at the same moment are all counted', async () => {
    await Promise.all(Array.from({ length: 10 }, () => fail(1)))
    expect(await waitS()).toBe(15 * 60)
  })
})

test.each([
  ['192.0.2.7', 'ip:192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', 'ip:2001:db8:1:2::/64'],
  ['2001:0db8:1:2::9', 'ip:2001:db8:1:2::/64'],
  ['2001:db8::1', 'ip:2001:db8:0:0::/64'],
  ['::1', 'ip:0:0:0:0::/64'],
  ['fe80::1%eth0', 'ip:fe80:0:0:0::/64'],
])('the address %s counts as %s', (ip, key) => {
  expect(ipKey(ip)).toBe(key)
})

test('usernames count in any case', () => {
  expect(pairKey('Ada', '192.0.2.1')).toBe(pairKey('aDA', '192.0.2.1'))
  expect(nameKey('Ada')).toBe(nameKey('aDA'))
})
