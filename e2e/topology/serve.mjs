// A topology for programs that speak lines of JSON, such as the suites in Python, or to look at by hand:
//   node e2e/topology/serve.mjs [--mode redirect|proxy] [--dir <folder>] [--set <key>=<value>]...
// Prints { url, port, flags } when it serves. Then takes one command per line and answers each with one line:
//   {"do":"signal","role":"web","signal":"SIGKILL"}   {"do":"wait","role":"web"}   {"do":"start","role":"web"}
// Ends, and removes what it made, with its input.
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { startHeard } from './heard.mjs'
import { openStores } from './stores.mjs'

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

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)

try {
  const { mode, dir } = values
  const { topology, stop } = await startHeard(stores, { mode, settings, ...(dir && { dir }) })
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
    await stop()
  }
} finally {
  await stores.stop()
}
