import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openTarget, statusOfHealth, statusOfSignIn } from './target.mjs'
import { answerOn, dial, hangUp, headOf } from './wire.mjs'

const native = '/api/service/v1'
const SOCKETS = 3000
/** How long a small body may take, and what a busy machine may add. */
const DEADLINE_MS = 30_000
const LATE_MS = 10_000
/** Of 256 places in the class of these requests an eighth is kept from strangers, who get as many as remain free. */
const PLACES = 112
/** The requests of the class that wait. */
const WAITING = 1024
let target

before(async () => {
  target = await openTarget()
})
after(() => target?.stop())

const half = (path = `${native}/auth/login`) =>
  `${headOf('POST', path, { 'Content-Type': 'application/json', 'Content-Length': '50' })}{"username"`

test('3 000 stalled bodies from one address: each ends with 408, or 503 and when to retry; others sign in', async () => {
  const sockets = []
  const answers = await target.withstand(
    async () => {
      const heard = []
      for (let i = 0; i < SOCKETS; i += 100) {
        const some = await Promise.all(Array.from({ length: 100 }, () => dial(target.port)))
        sockets.push(...some)
        heard.push(...some.map((socket) => answerOn(socket, DEADLINE_MS + LATE_MS)))
        for (const socket of some) if (socket.writable) socket.write(half())
        // The attack is that they stay, not how fast they come: the next ones come when the server has accepted these,
        // and with them a new connection behind them. It is another's, since this address soon has all that it may have.
        assert.equal(await statusOfHealth(target.url, '127.0.0.3'), 200)
      }
      assert.equal(await statusOfSignIn(target.url, '127.0.0.2'), 401)
      const all = await Promise.all(heard)
      await hangUp(sockets)
      return all
    },
    { maxKeptBytes: 100 * 1024 * 1024 },
  )
  const withStatus = (status) => answers.filter((answer) => answer.status === status)
  assert.ok(withStatus(408).length >= PLACES, `${withStatus(408).length} answers are 408`)
  for (const { head, body, isClosed } of withStatus(408)) {
    assert.match(head, /content-type: application\/problem\+json/i)
    assert.match(head, /connection: close/i)
    assert.equal(JSON.parse(body).code, 'request-timeout')
    assert.ok(isClosed)
  }
  // What waited for a place, and connections beyond those that one address has; some of these hear nothing.
  assert.ok(withStatus(503).length >= WAITING, `${withStatus(503).length} answers are 503`)
  for (const { head, body, isClosed } of withStatus(503)) {
    assert.match(head, /retry-after: 5/i)
    assert.match(head, /connection: close/i)
    assert.equal(JSON.parse(body).code, 'temporarily-unavailable')
    assert.ok(isClosed)
  }
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
