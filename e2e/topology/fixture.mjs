import { after, before } from 'node:test'
import { Caller } from './caller.mjs'
import { FaultProxy } from './fault-proxy.mjs'
import { openStores } from './stores.mjs'
import { Topology } from './topology.mjs'

/**
 * A topology for the tests of a file, whose bytes go through the service, and a way to its bucket that can be spoilt or
 * held. `optionsOf(way)` are those of `Topology.start`. Answers { way, topology, caller }, there once the tests run.
 */
export function topologyOnTheWay(optionsOf) {
  const given = {}
  let stores
  before(async () => {
    stores = await openStores()
    given.way = await FaultProxy.start(stores.s3)
    given.topology = await Topology.start(stores, { mode: 'proxy', ...optionsOf(given.way) })
    given.caller = await Caller.of(given.topology)
  })
  after(async () => {
    given.way?.stop()
    await given.topology?.stop()
    await stores?.stop()
  })
  return given
}
