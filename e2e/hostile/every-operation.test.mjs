// A promise of every address, including future ones: whatever the body, the event loop runs on, memory is bounded,
// and the answer is no 5xx.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { operationsOf } from './operations.mjs'
import { openTarget, residentBytes } from './target.mjs'
import { answerOn, dial, hangUp, headOf, oneByteChunks, pour } from './wire.mjs'

const MIB = 1024 * 1024
const AT_ONCE = 16
const MAX_ATTEMPTS = 20
const MAX_DELAY_MS = 1000
const MAX_MORE_BYTES = 400 * MIB
const ANSWER_MS = 20_000
const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/x-ndjson',
  'application/octet-stream',
  'application/vnd.git-lfs+json',
]

const monitor = fileURLToPath(new URL('loop-monitor.mjs', import.meta.url))
let folder
let target
let operations
let owner

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'arsenal-hostile-'))
  process.env.ARSENAL_LOOP_DELAYS = join(folder, 'delays')
  target = await openTarget({ 'security.anonymous_read': 'true' }, { nodeOptions: `--import=${monitor}` })
  const person = await target.newPerson('every')
  owner = { Authorization: `Bearer ${await person.token()}` }
  await person.native('POST', '/repos', { type: 'model', ns: person.username, name: 'every' })
  operations = await operationsOf(target.url, owner, { ns: person.username, repo: 'every' })
  await maxDelayMs()
})
after(async () => {
  await target?.stop()
  rmSync(folder, { recursive: true, force: true })
})

let readings = 0

/** The longest that the server's event loop stood still since the last time this was asked. */
async function maxDelayMs() {
  process.kill(target.pid, 'SIGUSR2')
  readings++
  for (;;) {
    const lines = readLines(process.env.ARSENAL_LOOP_DELAYS)
    if (lines.length >= readings) return Number(lines[readings - 1])
    await pause(20)
  }
}

function readLines(file) {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').filter(Boolean)
  } catch {
    return []
  }
}

/** Runs `send` for each of them, some at once, and asserts the property. `send` answers the status, 0 for none. */
async function holds(cases, send) {
  const wrong = []
  const rest = residentBytes(target.pid)
  let peak = rest
  const watch = setInterval(() => (peak = Math.max(peak, residentBytes(target.pid))), 50)
  const waiting = [...cases]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const status = await send(next)
      if (status >= 500 && status !== 501)
        wrong.push(`${next.method} ${next.path} ${next.type ?? ''}: ${status}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    clearInterval(watch)
  }
  assert.deepEqual(wrong, [])
  assert.ok(!target.hasExited(), target.log().slice(-2000))
  const delay = await maxDelayMs()
  assert.ok(delay < MAX_DELAY_MS, `the event loop stood still for ${delay} ms`)
  assert.ok(peak - rest < MAX_MORE_BYTES, `${Math.round((peak - rest) / MIB)} MiB more`)
}

/**
 * As `sendOnce`. Many large bodies at once are refused with 503 and a time to retry, which is how memory stays bounded:
 * then it is sent again, as clients do.
 */
async function send(one, body, by = owner) {
  for (let attempt = 1; ; attempt++) {
    const { status, head } = await sendOnce(one, body, by)
    const isRefusal = status === 503 && /^retry-after: \d+\r?$/im.test(head)
    if (!isRefusal || attempt === MAX_ATTEMPTS) return status
    await pause(200)
  }
}

/** Sends one request over a connection of its own; `pieces` is the body as it goes over the wire. */
async function sendOnce({ method, path, type }, { headers, pieces }, by) {
  const socket = await dial(target.port)
  const answer = answerOn(socket, ANSWER_MS)
  socket.write(headOf(method, path, { 'Content-Type': type, Connection: 'close', ...headers, ...by }))
  await pour(socket, pieces)
  const { status, head } = await answer
  await hangUp([socket])
  return { status, head }
}

const whole = (body) => ({ headers: { 'Content-Length': body.length }, pieces: cut(body) })

function* cut(body) {
  for (let at = 0; at < body.length; at += MIB) yield body.subarray(at, at + MIB)
}

const eachType = () => operations.flatMap((operation) => types.map((type) => ({ ...operation, type })))

test('there are as many operations as the server has', () => {
  assert.ok(operations.length > 80, `${operations.length} operations`)
})

test('20 MB in every content type', async () => {
  const bodies = {
    'application/json': Buffer.from(`{"a":[${'[],'.repeat((20 * MIB) / 3)}1]}`),
    'application/x-www-form-urlencoded': Buffer.from('a=1&'.repeat(5 * MIB)),
    'application/x-ndjson': Buffer.from('{"key":"header"}\n'.repeat((20 * MIB) / 17)),
    'application/octet-stream': Buffer.alloc(20 * MIB, 'x'),
  }
  bodies['application/vnd.git-lfs+json'] = bodies['application/json']
  await holds(eachType(), (one) => send(one, whole(bodies[one.type])))
})

test('1 MB of values and names that no schema has', async () => {
  const values = Buffer.from(`{"a":[${'{"b":1},'.repeat(100_000)}1]}`)
  const names = Buffer.from(
    JSON.stringify(Object.fromEntries(Array.from({ length: 15_000 }, (_, i) => [i, i]))),
  )
  for (const body of [values, names])
    await holds(
      operations.map((operation) => ({ ...operation, type: 'application/json' })),
      (one) => send(one, whole(body)),
    )
})

test('200 000 chunks of one byte', async () => {
  const headers = { 'Transfer-Encoding': 'chunked' }
  await holds(
    operations.map((operation, i) => ({ ...operation, type: types[i % types.length] })),
    (one) => send(one, { headers, pieces: oneByteChunks(200_000, ' ') }),
  )
})

test('10 000 levels', async () => {
  const body = Buffer.from(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)
  await holds(eachType(), (one) => send(one, whole(body)))
})

test('bodies that stop, all at once', async () => {
  const sockets = []
  await target.withstand(async () => {
    for (const { method, path, type } of eachType()) {
      const socket = await dial(target.port, `127.0.2.${sockets.length % 4}`)
      sockets.push(socket)
      socket.write(headOf(method, path, { 'Content-Type': type, 'Content-Length': 1000, ...owner }))
      socket.write('{"key":')
    }
    await pause(1000)
    await hangUp(sockets)
  })
  assert.ok((await maxDelayMs()) < MAX_DELAY_MS)
})
