// A server that reports the delay of its event loop.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startServer } from '../fixtures/server.mjs'

/**
 * Starts one; `loopDelay()` answers { p99, max } in milliseconds since it was last asked. Files go to `dir`; `options` are
 * more of what `startServer` takes.
 */
export async function startWatched(dir, settings = {}, options = {}) {
  const delayFile = join(dir, 'loop-delay.json')
  const preload = fileURLToPath(new URL('loop-delay.mjs', import.meta.url))
  const env = { NODE_OPTIONS: `--import ${preload}`, ARSENAL_BENCH_LOOP_DELAY: delayFile }
  const server = await startServer({ 'telemetry.log_level': 'warn', ...settings }, { ...options, env })
  const loopDelay = async () => {
    await rm(delayFile, { force: true })
    process.kill(server.pid, 'SIGUSR2')
    for (;;) {
      const text = await readFile(delayFile, 'utf8').catch(() => '')
      if (text.endsWith('}')) return JSON.parse(text)
      await pause(20)
    }
  }
  return { server, loopDelay }
}
