// A disabled account loses what its clients are doing at that moment.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { stat, truncate, writeFile } from 'node:fs/promises'
import { createServer, connect } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { listen } from '../fixtures/listen.mjs'
import { freePort, startServer } from '../fixtures/server.mjs'
import { openBench, repoOf } from '../git/workbench.mjs'

const MIB = 1024 * 1024
/** At `RATE` bytes a second each transfer of `LARGE` bytes takes 20 s: the server, which looks every 2 s, ends it long before. */
const RATE = 8 * MIB
const LARGE = 160 * MIB
/** What a transfer has moved when the account is disabled: it is under way, and far from its end. */
const UNDER_WAY = 24 * MIB

let server
let bench
let root
let eve
let token

before(async () => {
  server = await startServer({
    'security.anonymous_read': 'false',
    'security.outbound_allow': 'webhook=127.0.0.0/8',
  })
  bench = await openBench()
  root = await server.login()
  eve = await server.newPerson('eve')
  token = await eve.token()
})
after(async () => {
  await bench?.close()
  await server?.stop()
})

/** Waits until a condition holds; each step of the test has one. */
async function until(what, isSo) {
  const deadline = Date.now() + 30_000
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, `${what} did not come about:\n${server.log().slice(-2000)}`)
    await pause(50)
  }
}

/** What one LFS object may be sent to or fetched from, in the caller's name. */
async function addressOf(repo, operation, object) {
  const answer = await fetch(`${repo.open}.git/info/lfs/objects/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/vnd.git-lfs+json' },
    body: JSON.stringify({ operation, transfers: ['basic'], objects: [object] }),
  })
  assert.equal(answer.status, 200)
  return (await answer.json()).objects[0].actions[operation].href
}

/** A stored file of `LARGE` bytes, and a signed address of it. */
async function givenDownload(repo) {
  const bytes = Buffer.alloc(LARGE, 'arsenal')
  const object = { oid: createHash('sha256').update(bytes).digest('hex'), size: LARGE }
  const put = await fetch(await addressOf(repo, 'upload', object), { method: 'PUT', body: bytes })
  assert.equal(put.status, 200)
  const operations = [{ op: 'add', path: 'model.bin', lfs: { sha256: object.oid, size: LARGE } }]
  await eve.native('POST', `${repo.api}/commits`, { title: 'add', operations })
  return addressOf(repo, 'download', object)
}

/** A repo whose clone brings `LARGE` bytes: git cannot compress them. */
async function givenLargeHistory() {
  const repo = await repoOf(server, eve, token, { visibility: 'private' })
  const work = await bench.clone(repo.url)
  await work.git('config', 'core.compression', '0')
  const names = Array.from({ length: LARGE / (8 * MIB) }, (_, i) => `random-${i}.txt`)
  await work.commit(Object.fromEntries(names.map((name) => [name, randomBytes(8 * MIB)])))
  await work.git('push', '-q', 'origin', 'HEAD:main')
  return repo
}

/** A way to the server on which answers come at `RATE` bytes a second; `moved` says how many have come. */
async function slowWay() {
  const way = { moved: 0, port: 0 }
  const relay = createServer(async (client) => {
    const onward = connect(server.port, '127.0.0.1')
    for (const socket of [client, onward]) socket.on('error', () => client.destroy())
    client.pipe(onward)
    try {
      for await (const chunk of onward) {
        if (client.destroyed) break
        way.moved += chunk.length
        client.write(chunk)
        await pause((chunk.length / RATE) * 1000)
      }
    } catch {
      // The server has reset the connection.
    } finally {
      client.destroy()
      onward.destroy()
    }
  })
  way.port = await listen(relay)
  relay.unref()
  return way
}

/** A real curl; `ended` resolves with its exit status and the time, as all clients here do. */
function curl(...args) {
  const child = spawn('curl', ['-sS', '--fail', '--limit-rate', `${RATE}`, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return once(child, 'close').then(([code]) => ({ code, at: performance.now() }))
}

/** A job of somebody else that waits for its next attempt: a delivery to a port on which nothing listens. */
async function givenWaitingJob() {
  const repo = await repoOf(server, root, '')
  await root.native('POST', '/webhooks', {
    url: `http://127.0.0.1:${await freePort()}/hook`,
    watched: [{ repo: { type: 'model', ns: repo.ns, name: repo.name } }],
    events: ['repo.content'],
  })
  await repo.commit({ 'a.txt': 'a' })
  let waiting
  await until('a waiting delivery', async () => {
    const { items } = await root.native('GET', '/jobs?limit=100')
    waiting = items.find(({ kind, status }) => kind === 'webhook.deliver' && status === 'queued')
    return waiting && items.some(({ kind, status }) => kind === 'webhook.deliver' && status !== 'queued')
  })
  return waiting.id
}

/** Reads a job's events until the stream ends. */
async function watch(id) {
  const answer = await fetch(`${server.url}/api/service/v1/jobs/${id}/events`, {
    headers: { Cookie: eve.cookie() },
  })
  assert.equal(answer.status, 200)
  const seen = { text: '', ended: undefined }
  const read = async () => {
    try {
      for await (const chunk of answer.body) seen.text += Buffer.from(chunk).toString()
    } catch {
      // A cut connection is an end as well.
    }
    return { at: performance.now() }
  }
  seen.ended = read()
  return seen
}

const sizeOf = (file) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

test('a disabled account loses its upload, download, clone and stream before they are done, and its signed addresses', async () => {
  // An admin sees the jobs of others, so the stream does not end because the job does.
  await server.cli(['user', 'make-admin', eve.username])
  const way = await slowWay()
  const repo = await repoOf(server, eve, token, { visibility: 'private' })
  const download = await givenDownload(repo)
  const history = await givenLargeHistory()
  const upload = await addressOf(repo, 'upload', { oid: 'b'.repeat(64), size: LARGE })
  const small = await addressOf(repo, 'upload', { oid: 'a'.repeat(64), size: 1 })
  const [source, target] = [join(bench.dir, 'source.bin'), join(bench.dir, 'target.bin')]
  await writeFile(source, '')
  await truncate(source, LARGE)
  // Last: it waits for half a minute, and its stream ends when it has run.
  const job = await givenWaitingJob()

  const began = performance.now()
  const uploading = curl('--upload-file', source, upload)
  const downloading = curl('--output', target, download)
  const clone = bench.start([
    'clone',
    '-q',
    history.url.replace(`:${server.port}/`, `:${way.port}/`),
    bench.path(),
  ])
  const cloning = clone.done.then(({ code, said }) => ({ code, said, at: performance.now() }))
  const stream = await watch(job)
  await until(
    'transfers under way',
    async () =>
      way.moved > UNDER_WAY &&
      (await sizeOf(target)) > UNDER_WAY &&
      performance.now() - began > (UNDER_WAY / RATE) * 1000,
  )
  assert.match(stream.text, /^event: job$/m)
  assert.equal((await fetch(download, { method: 'HEAD' })).status, 200)

  const { items } = await root.native('GET', `/admin/users?q=${eve.username}`)
  const startedAt = performance.now()
  await root.native('PATCH', `/admin/users/${items[0].id}`, { disabled: true })
  for (const [method, address] of [
    ['GET', download],
    ['PUT', small],
  ])
    assert.equal(
      (await fetch(address, { method, ...(method === 'PUT' && { body: 'x' }) })).status,
      404,
      method,
    )

  const ends = Object.entries({
    upload: uploading,
    download: downloading,
    clone: cloning,
    stream: stream.ended,
  })
  for (const [what, ended] of ends) {
    const { code, at } = await ended
    assert.ok(at > startedAt, `the ${what} ended before the account was disabled`)
    if (what !== 'stream') assert.notEqual(code, 0, `the ${what} was completed`)
  }
  assert.ok((await sizeOf(target)) < LARGE)
})
