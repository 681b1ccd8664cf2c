import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openTarget } from './target.mjs'
import { answerOn, dial, hangUp, headOf } from './wire.mjs'

const native = '/api/service/v1'
const SOCKETS = 3000
/** How long a small body may take, and what a busy machine may add. */
const DEADLINE_MS = 30_000
const LATE_MS = 10_000
let target

before(async () => {
  target = await openTarget()
})
after(() => target?.stop())

const half = (path = `${native}/auth/login`) =>
  `${headOf('POST', path, { 'Content-Type': 'application/json', 'Content-Length': '50' })}{"username"`

test('3 000 stalled bodies from one address leave others served, and end with 408', async () => {
  const sockets = []
  const answers = await target.withstand(
    async () => {
      const startedAt = Date.now()
      const heard = []
      for (let i = 0; i < SOCKETS; i += 100) {
        const some = await Promise.all(Array.from({ length: 100 }, () => dial(target.port)))
        sockets.push(...some)
        heard.push(...some.map((socket) => answerOn(socket, DEADLINE_MS + LATE_MS)))
        for (const socket of some) if (socket.writable) socket.write(half())
        // One connection costs the server half a millisecond; the attack is that they stay.
        await pause(50)
      }
      const all = await Promise.all(heard)
      assert.ok(Date.now() - startedAt >= DEADLINE_MS / 2)
      await hangUp(sockets)
      return all
    },
    { maxKeptBytes: 100 * 1024 * 1024 },
  )
  const withStatus = (status) => answers.filter((answer) => answer.status === status)
  // A quarter of 8192 connections is the most that one address has; some of the others hear why.
  assert.ok(withStatus(408).length >= 2000, `${withStatus(408).length} answers are 408`)
  assert.ok(withStatus(503).length > 0, 'no connection was refused with a reason')
  for (const { head, body, isClosed } of withStatus(408).slice(0, 20)) {
    assert.match(head, /content-type: application\/problem\+json/i)
    assert.match(head, /connection: close/i)
    assert.equal(JSON.parse(body).code, 'request-timeout')
    assert.ok(isClosed)
  }
  const [refused] = withStatus(503)
  assert.match(refused.head, /retry-after: 5/i)
  assert.match(refused.head, /connection: close/i)
  assert.equal(JSON.parse(refused.body).code, 'temporarily-unavailable')
})

test('aborted bodies are not logged as server errors', async () => {
  const admin = await target.login()
  const bearer = `Authorization: Bearer ${await admin.token()}\r\n`
  await admin.native('POST', '/repos', { type: 'model', ns: admin.username, name: 'cut' })
  const repo = `${admin.username}/cut`
  const before = target.log().length
  const paths = [
    ['POST', `${native}/auth/login`, 'application/json'],
    ['POST', `${native}/repos`, 'application/json'],
    ['POST', `${native}/repos/models/${repo}/commits`, 'application/json'],
    ['POST', `/api/models/${repo}/commit/main`, 'application/x-ndjson'],
    ['POST', `/api/models/${repo}/preupload/main`, 'application/json'],
    ['POST', `/${repo}/info/lfs/objects/batch`, 'application/vnd.git-lfs+json'],
    ['POST', `/${repo}/git-upload-pack`, 'application/x-git-upload-pack-request'],
    ['POST', `/${repo}/git-receive-pack`, 'application/x-git-receive-pack-request'],
    ['POST', '/oauth/token', 'application/x-www-form-urlencoded'],
  ]
  await target.withstand(async () => {
    for (const [method, path, type] of paths)
      for (const length of [50, 20_000_000]) {
        const socket = await dial(target.port)
        const head = headOf(method, path, { 'Content-Type': type, 'Content-Length': length })
        socket.write(`${head.slice(0, -2)}${bearer}\r\n{"key":"header","va`)
        await pause(50)
        await hangUp([socket])
      }
    await pause(500)
  })
  const faults = target
    .log()
    .slice(before)
    .split('\n')
    .filter(
      (line) => line.includes('"level":50') || line.includes('"level":"error"') || line.includes('Error:'),
    )
  assert.deepEqual(faults, [])
})

test('a server that may open 400 files answers health checks behind 500 stalled bodies', async () => {
  const small = await openTarget({}, { openFiles: 400 })
  try {
    const sockets = []
    await small.withstand(async () => {
      for (let i = 0; i < 500; i++) {
        // Four addresses, of which none may have all of it.
        const socket = await dial(small.port, `127.0.1.${i % 4}`)
        sockets.push(socket)
        if (socket.writable) socket.write(half())
      }
      await pause(1000)
    })
    await hangUp(sockets)
  } finally {
    await small.stop()
  }
})
