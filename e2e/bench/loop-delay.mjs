// Loaded into a server by NODE_OPTIONS: on SIGUSR2 it writes how late its event loop was since the last time, and begins again.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const file = process.env.ARSENAL_BENCH_LOOP_DELAY
if (file && isMainThread && process.argv.includes('serve')) {
  const resolution = 10
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  process.on('SIGUSR2', () => {
    const ms = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolution)
    writeFileSync(file, JSON.stringify({ p99: ms(delays.percentile(99)), max: ms(delays.max) }))
    delays.reset()
  })
}
