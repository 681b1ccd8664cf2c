// A topology whose log also has what clients ask of the bucket by themselves.
import { appendFileSync } from 'node:fs'
import { FaultProxy } from './fault-proxy.mjs'
import { Topology } from './topology.mjs'

/** @typedef {import('./topology.mjs').StartOptions} StartOptions */

/** As `Topology.start`. Answers { topology, stop }. */
export async function startHeard(stores, /** @type {StartOptions} */ { settings = {}, ...rest }) {
  let topology
  const way = await openWay(stores, () => topology.logFile)
  try {
    const all = { 'storage.s3.endpoint': way.url, ...settings }
    topology = await Topology.start(stores, { ...rest, settings: all })
  } catch (error) {
    way.stop()
    throw error
  }
  const stop = async () => {
    await topology.stop()
    way.stop()
  }
  return { topology, stop }
}

/**
 * A way to the store that writes what clients ask there by themselves into the log of the processes, who do not hear of
 * it: as a request, its address signed, and which credentials of ours came with it.
 */
async function openWay(stores, log) {
  const way = await FaultProxy.start(stores.s3)
  way.heard = ({ method, url: path, headers }, status) => {
    if (!path.includes('X-Amz-Signature=')) return
    const credentials = ['authorization', 'cookie'].filter((name) => name in headers)
    appendFileSync(log(), `${JSON.stringify({ msg: 'request', method, path, status, credentials })}\n`)
  }
  return way
}
