// A topology for whoever speaks lines of JSON, such as the suites in Python, or to look at by hand:
//   node e2e/topology/serve.mjs [--mode redirect|proxy] [--dir <folder>] [--set <key>=<value>]...
// Prints { url, port, flags } when it serves. Then takes one command per line and answers each with one line:
//   {"do":"signal","role":"web","signal":"SIGKILL"}   {"do":"wait","role":"web"}   {"do":"start","role":"web"}
// Ends, and removes what it made, with its input.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { FaultProxy } from './fault-proxy.mjs'
import { openStores } from './stores.mjs'
import { Topology } from './topology.mjs'

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'redirect' },
    dir: { type: 'string' },
    set: { type: 'string', multiple: true, default: [] },
  },
})
const settings = Object.fromEntries(values.set.map((each) => each.split(/=(.*)/s, 2)))
const stores = await openStores()

const commands = {
  signal: async (topology, { role, signal }) => topology.only(role).forEach((each) => each.signal(signal)),
  wait: async (topology, { role }) => Promise.all(topology.only(role).map((each) => each.ended())),
  start: async (topology, { role }) => topology.startProcesses(role),
}

/**
 * A way to the store that writes what clients ask there by themselves into the log of the processes, who do not hear of
 * it: as a request, its address signed, and which credentials of ours came with it.
 */
async function openWay(log) {
  const way = await FaultProxy.start(stores.s3)
  way.heard = ({ method, url: path, headers }, status) => {
    if (!path.includes('X-Amz-Signature=')) return
    const credentials = ['authorization', 'cookie'].filter((name) => name in headers)
    appendFileSync(log(), `${JSON.stringify({ msg: 'request', method, path, status, credentials })}\n`)
  }
  return way
}

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)

try {
  const { mode, dir } = values
  const way = await openWay(() => topology.logFile)
  const all = { 'storage.s3.endpoint': way.url, ...settings }
  const topology = await Topology.start(stores, { mode, settings: all, ...(dir && { dir }) })
  try {
    // The command line must not be taken for a fifth server, but has to find all that they have.
    const { url, port } = topology
    say({ url, port, flags: topology.processes[0].flags })
    for await (const line of createInterface({ input: process.stdin })) {
      const command = JSON.parse(line)
      await commands[command.do](topology, command).then(
        () => say({ done: command.do }),
        (error) => say({ failed: error.message }),
      )
    }
  } finally {
    await topology.stop()
    way.stop()
  }
} finally {
  await stores.stop()
}
