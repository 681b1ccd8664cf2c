// A built server with the smallest supported memory, and a bystander that watches it during an attack.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startServer } from '../fixtures/server.mjs'

const MIB = 1024 * 1024
/** The heap a small container gives: `--max-old-space-size` in MiB. */
const HEAP_MIB = 512
/**
 * How long the main thread may be busy with others before it answers a `/healthz`, in milliseconds of processor time. It
 * was 100 at most beside other work.
 */
const MAX_BUSY_MS = 1000
/** How much more memory than before the attack the server may keep afterwards, in bytes. */
const MAX_KEPT_BYTES = 100 * MIB
/** How long the server has to give memory back, in milliseconds. */
const SETTLE_MS = 20_000

const bystander = fileURLToPath(new URL('bystander.mjs', import.meta.url))

/** Resident memory of a process, in bytes. */
export function residentBytes(pid) {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

/** How a sign-in with wrong credentials is answered, asked for from this address: 401 where strangers are served. */
export async function statusOfSignIn(url, localAddress) {
  const headers = { 'Content-Type': 'application/json', Origin: url }
  const options = { method: 'POST', headers, localAddress, agent: false }
  const asking = request(`${url}/api/service/v1/auth/login`, options)
  asking.end(JSON.stringify({ username: 'stranger', password: 'wrong horse' }))
  const [answer] = await once(asking, 'response')
  answer.resume()
  return answer.statusCode
}

/** How a health check on a connection of its own is answered, asked for from this address. */
export async function statusOfHealth(url, localAddress) {
  const asking = request(`${url}/healthz`, { localAddress, agent: false })
  asking.end()
  const [answer] = await once(asking, 'response')
  answer.resume()
  return answer.statusCode
}

/** @typedef {import('../fixtures/server.mjs').StartOptions & { nodeOptions?: string }} TargetOptions */

/**
 * Starts the built server with default settings, plus `settings`, and a heap of 512 MiB. `options` are those of
 * `startServer` and `nodeOptions`, more options of Node. Answers the server of
 * `e2e/fixtures/server.mjs` with `withstand` beside it.
 */
export async function openTarget(
  settings = {},
  /** @type {TargetOptions} */ { nodeOptions = '', ...options } = {},
) {
  const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB} ${nodeOptions}` }
  const server = await startServer({ 'security.anonymous_read': 'false', ...settings }, { env, ...options })
  return Object.assign(server, { withstand: (attack, limits) => withstand(server, attack, limits) })
}

/**
 * Runs `attack` while a bystander from another address asks for `/healthz` ten times a second. Fails unless each of
 * these is answered before the main thread has been busy for `MAX_BUSY_MS`, the process lives on, and its memory returns to
 * within 100 MiB of what it was. Prints how long the slowest took. Answers what `attack` answers.
 */
async function withstand(server, attack, { maxKeptBytes = MAX_KEPT_BYTES } = {}) {
  const restBytes = residentBytes(server.pid)
  const watcher = spawn(process.execPath, [bystander, server.url, `${server.pid}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let seen = ''
  watcher.stdout.on('data', (chunk) => (seen += chunk))
  const ended = once(watcher, 'close')
  let answer
  try {
    await once(watcher.stdout, 'data')
    answer = await attack()
  } finally {
    watcher.stdin.end()
    await ended
  }
  assert.ok(!server.hasExited(), `the server ended:\n${server.log().slice(-2000)}`)
  const { asked, failed, slowestMs, busiestMs, reason } = JSON.parse(seen.trim().split('\n').at(-1))
  console.log(
    `# ${asked} health checks: the slowest took ${Math.round(slowestMs)} ms, ${busiestMs} ms of them busy`,
  )
  assert.equal(failed, 0, `${failed} of ${asked} health checks failed: ${reason}`)
  assert.ok(
    busiestMs <= MAX_BUSY_MS,
    `the main thread was busy for ${busiestMs} ms before it answered a health check (slowest: ${Math.round(slowestMs)} ms)`,
  )
  await memoryReturns(server, restBytes + maxKeptBytes)
  return answer
}

async function memoryReturns(server, mostBytes) {
  const until = Date.now() + SETTLE_MS
  while (residentBytes(server.pid) > mostBytes) {
    const nowMiB = Math.round(residentBytes(server.pid) / MIB)
    assert.ok(
      Date.now() < until,
      `the server keeps ${nowMiB} MiB, expected at most ${Math.round(mostBytes / MIB)}`,
    )
    await pause(250)
  }
}
