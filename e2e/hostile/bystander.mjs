// Asks for `/healthz` ten times a second until standard input ends, from an address of its own (limits count by
// address), then prints what it saw. A process of its own, since attacks keep the event loop of theirs busy.
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const [url, pid] = process.argv.slice(2)
const PERIOD_MS = 100
const GIVE_UP_MS = 10_000
/** proc(5): times are counted in clock ticks, 100 a second on Linux. */
const TICK_MS = 10

const result = { asked: 0, failed: 0, slowestMs: 0, busiestMs: 0, reason: '' }

/**
 * The processor time that the server's main thread has taken, in milliseconds. Unlike the time of a clock, it says what the
 * server did, and not how busy the machine is.
 */
function mainThreadMs() {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
  const [utime, stime] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14)
  return (Number(utime) + Number(stime)) * TICK_MS
}

/** @returns {Promise<void>} */
function ask() {
  return new Promise((resolve, reject) => {
    const options = { localAddress: '127.0.0.77', agent: false, timeout: GIVE_UP_MS }
    const asking = request(`${url}/healthz`, options, (answer) => {
      answer.resume()
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`${answer.statusCode}`)),
      )
      answer.once('error', reject)
    })
    asking.once('timeout', () => asking.destroy(new Error(`no answer within ${GIVE_UP_MS} ms`)))
    asking.once('error', reject)
    asking.end()
  })
}

process.stdin.resume()

while (!process.stdin.readableEnded) {
  const startedAt = performance.now()
  const takenMs = mainThreadMs()
  result.asked++
  try {
    await ask()
  } catch (error) {
    result.failed++
    result.reason = error.message
  }
  result.slowestMs = Math.max(result.slowestMs, performance.now() - startedAt)
  result.busiestMs = Math.max(result.busiestMs, mainThreadMs() - takenMs)
  process.stdout.write(`${JSON.stringify(result)}\n`)
  await pause(PERIOD_MS)
}
