// Loaded into a server by `--import`: at SIGUSR2 it writes down the longest delay of the event loop so far, in milliseconds.
import { appendFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const file = process.env.ARSENAL_LOOP_DELAYS
if (file && isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()
  process.on('SIGUSR2', () => {
    appendFileSync(file, `${Math.round(delays.max / 1e6)}\n`)
    delays.reset()
  })
}
