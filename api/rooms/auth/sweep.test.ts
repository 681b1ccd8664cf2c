import { expect, test } from 'vitest'
import { pass, sweepRun } from '../../core/lfs/testing.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import { rememberNetwork } from './known-networks.ts'
import { actorOfSession } from './principals.ts'
import { requestDevice } from './request-device.ts'
import { redeemDevice } from './redeem-device.ts'
import { endedLogins } from './sweep.ts'
import { countFailure, nameKey, pairKey, refuseLocked } from './throttle.ts'

const hour = 3_600_000

eachDatabase('what is left of logins', (world) => {
  const sweep = () => endedLogins.run(world.ctx(), sweepRun(world))

  test('an ended session is forgotten, a live one stays', async () => {
    await givenUser(world, 'early')
    pass(world, hour)
    const late = await givenUser(world, 'late')
    pass(world, world.deps.config.security.session_ttl - hour)
    expect(await endedLogins.run(world.ctx(), sweepRun(world, true))).toMatchObject({ sessions: 1 })
    expect(await sweep()).toMatchObject({ sessions: 1 })
    expect(await actorOfSession(world.deps, late.secret)).toMatchObject({ username: 'late' })
    expect(await world.db.q.$count(world.db.t.sessions)).toBe(1)
  })

  test('a device login is forgotten a day after its end', async () => {
    const { deviceCode } = await requestDevice(world.ctx())
    pass(world, 24 * hour)
    expect(await sweep()).toMatchObject({ device_logins: 0 })
    expect(await redeemDevice(world.ctx(), deviceCode)).toBe('expired_token')
    pass(world, hour)
    expect(await sweep()).toMatchObject({ device_logins: 1 })
    expect(await redeemDevice(world.ctx(), deviceCode)).toBe('invalid_grant')
  })

  test('a throttle is forgotten when nothing has failed for a day, and never while it is locked', async () => {
    const key = pairKey('mallory', '192.0.2.1')
    for (let i = 0; i < 10; i++) await world.db.write((tx) => countFailure(tx, [key], world.clock.now))
    await world.db.write((tx) => countFailure(tx, [nameKey('typo')], world.clock.now))
    expect(await sweep()).toMatchObject({ throttles: 0 })
    await expect(refuseLocked(world.deps, [key])).rejects.toMatchObject({ code: 'throttled' })
    pass(world, 25 * hour)
    expect(await sweep()).toMatchObject({ throttles: 2 })
    expect(await world.db.q.$count(world.db.t.throttles)).toBe(0)
  })

  test('a known network is forgotten 90 days after the last sign-in from it', async () => {
    const user = await givenUser(world, 'traveller')
    const remember = (ip: string) => world.db.write((tx) => rememberNetwork(tx, user.id, ip, world.clock.now))
    await remember('192.0.2.1')
    pass(world, 60 * 24 * hour)
    await remember('192.0.2.2')
    pass(world, 31 * 24 * hour)
    expect(await sweep()).toMatchObject({ known_networks: 1 })
    const kept = await world.db.q.select().from(world.db.t.known_networks)
    expect(kept.map(({ network }) => network)).toEqual(['192.0.2.2'])
  })
})
