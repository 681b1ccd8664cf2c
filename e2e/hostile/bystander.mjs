// Asks for `/healthz` ten times a second until standard input ends, from an address of its own (limits count by
// address), then prints what it saw. A process of its own, since attacks keep the event loop of theirs busy.
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const [url] = process.argv.slice(2)
const PERIOD_MS = 100
const GIVE_UP_MS = 10_000

const result = { asked: 0, failed: 0, slowestMs: 0, reason: '' }

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
  result.asked++
  try {
    await ask()
  } catch (error) {
    result.failed++
    result.reason = error.message
  }
  result.slowestMs = Math.max(result.slowestMs, performance.now() - startedAt)
  process.stdout.write(`${JSON.stringify(result)}\n`)
  await pause(PERIOD_MS)
}
