// Reads bring what is absent from another built server while it streams in, and it stays when that one is gone.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { startServer } from '../fixtures/server.mjs'
import { bodiesOf } from './between.mjs'
import { download, ended, givenModel, pullingThrough, startApart } from './upstream.mjs'

const MiB = 2 ** 20
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

let site
let between
let server
let owner
before(async () => {
  site = await startApart(pullingThrough)
  ;({ between, server, owner } = site)
})
after(() => site?.stop())

test('sixteen clients on one cold file of 512 MiB get it whole, from one upstream body', async () => {
  const { repo, commit, files } = await givenModel(owner, 'crowd', { 'big.bin': 512 * MiB })
  const starts = Array.from({ length: 16 }, (_, i) => (i % 4 === 3 ? i * 500_000 : 0))
  const whole = sha256(files['big.bin'])
  const read = async (from) => {
    const headers = from ? { Range: `bytes=${from}-` } : {}
    const {
      status,
      headers: got,
      body,
    } = await fetch(`${server.url}/${repo}/resolve/${commit}/big.bin`, { headers })
    const hash = createHash('sha256')
    for await (const chunk of body) hash.update(chunk)
    return { status, headers: got, hash: hash.digest('hex') }
  }
  const answers = await Promise.all(starts.map(read))
  for (const [i, { status, hash, headers }] of answers.entries()) {
    const from = starts[i]
    assert.equal(status, from ? 206 : 200)
    assert.equal(hash, from ? sha256(files['big.bin'].subarray(from)) : whole, `client ${i}`)
    assert.equal(headers.get('x-repo-commit'), commit)
    assert.equal(headers.get('etag'), answers[0].headers.get('etag'))
  }
  assert.equal(bodiesOf(between, 'big.bin').length, 1)
})

test('a header far inside a cold file comes at once, and begins no transfer', async () => {
  const { repo, files } = await givenModel(owner, 'header', { 'big.bin': 96 * MiB })
  between.slowTo = 20 * MiB
  try {
    const from = 80 * MiB
    const got = await download(server.url, repo, 'main', 'big.bin', { Range: `bytes=${from}-${from + 99}` })
    assert.equal(got.status, 206)
    assert.ok(got.bytes.equals(files['big.bin'].subarray(from, from + 100)))
    assert.equal(bodiesOf(between, `${repo}/resolve`).length, 0)
  } finally {
    between.slowTo = 0
  }
})

test('wrong bytes end in a broken connection, and the next try is clean', async () => {
  const { repo, files } = await givenModel(owner, 'spoiled', { 'a.bin': 12 * MiB })
  between.spoil = (chunk, { url }) =>
    url.includes('/resolve/') && url.endsWith('a.bin') ? Buffer.alloc(chunk.length, 1) : chunk
  await assert.rejects(download(server.url, repo, 'main', 'a.bin'))
  between.spoil = undefined
  assert.ok((await download(server.url, repo, 'main', 'a.bin')).bytes.equals(files['a.bin']))
})

test('without the upstream, stored files are served and marked, and missing ones are 504, never 404', async () => {
  const { repo, commit, files } = await givenModel(owner, 'offline', { 'a.bin': 3 * MiB, 'b.bin': 2 * MiB })
  assert.ok((await download(server.url, repo, 'main', 'a.bin')).bytes.equals(files['a.bin']))
  between.isDown = true
  try {
    const here = await download(server.url, repo, 'main', 'a.bin')
    assert.ok(here.bytes.equals(files['a.bin']))
    assert.equal((await download(server.url, repo, commit, 'config.json')).status, 200)
    assert.equal((await download(server.url, repo, commit, 'no-such-file')).status, 404)
    const absent = await download(server.url, repo, 'main', 'b.bin')
    assert.equal(absent.status, 504)
    assert.ok(Number(absent.headers.get('retry-after')) > 0)
    const unknown = await fetch(`${server.url}/api/models/${owner.username}/never-seen`)
    assert.equal(unknown.status, 504)
  } finally {
    between.isDown = false
  }
  const none = await fetch(`${server.url}/api/models/${owner.username}/never-seen`)
  assert.equal(none.headers.get('x-error-code'), 'RepoNotFound')
})

test('a transfer worth finishing goes on without readers, as a job that can be cancelled', async () => {
  const { repo, files } = await givenModel(owner, 'left', { 'big.bin': 160 * MiB })
  const admin = await server.login()
  between.slowTo = 60 * MiB
  try {
    const leaving = new AbortController()
    const answer = await fetch(`${server.url}/${repo}/resolve/main/big.bin`, { signal: leaving.signal })
    let got = 0
    for await (const chunk of answer.body) {
      got += chunk.length
      if (got > 40 * MiB) break
    }
    leaving.abort()
    let job
    while (!job) {
      const { items } = await admin.native('GET', '/jobs?kind=pull')
      job = items.find(({ title }) => title.includes(repo))
      await pause(50)
    }
    between.slowTo = 0
    assert.equal((await ended(admin, job.id)).status, 'succeeded')
  } finally {
    between.slowTo = 0
  }
  const whole = bodiesOf(between, 'big.bin').filter(({ url }) => url.includes(repo))
  const sum = whole.reduce((bytes, one) => bytes + one.bytes, 0)
  assert.ok(sum < 200 * MiB, `the upstream sent ${sum} bytes`)
  between.isDown = true
  const got = await download(server.url, repo, 'main', 'big.bin')
  between.isDown = false
  assert.ok(got.bytes.equals(files['big.bin']))
})

test('a server that is killed in the middle serves nothing unverified, and brings the rest afterwards', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-through-'))
  let killed = await startServer({ ...site.near, ...pullingThrough }, { dir })
  try {
    const { repo, files } = await givenModel(owner, 'killed', { 'big.bin': 120 * MiB })
    between.slowTo = 60 * MiB
    const answer = await fetch(`${killed.url}/${repo}/resolve/main/big.bin`)
    let got = 0
    await assert.rejects(async () => {
      for await (const chunk of answer.body) {
        got += chunk.length
        if (got > 80 * MiB && !killed.hasExited()) await killed.kill('SIGKILL')
      }
    })
    between.slowTo = 0
    const before = between.asked.length
    killed = await startServer({ ...site.near, ...pullingThrough }, { dir })
    const again = await download(killed.url, repo, 'main', 'big.bin')
    assert.ok(again.bytes.equals(files['big.bin']))
    const asked = bodiesOf({ asked: between.asked.slice(before) }, 'big.bin')
    const sent = asked.reduce((bytes, one) => bytes + one.bytes, 0)
    assert.ok(sent < 100 * MiB, `after the kill the upstream sent ${sent} bytes of 120 MiB`)
    // Of the killed server 24 MiB may have been in memory alone.
    const firstByte = Math.min(
      ...asked.map(({ range }) => Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)),
    )
    assert.ok(firstByte >= 56 * MiB, `after the kill the upstream was asked from byte ${firstByte}`)
    // While the lease of the killed server holds, the reader fetches 8 MiB every 5 s itself; the transfer fetches them, too.
    assert.ok(
      sent <= 120 * MiB - firstByte + 24 * MiB,
      `the upstream sent ${sent} bytes from ${firstByte} on`,
    )
    assert.doesNotMatch(await killed.cli(['fsck', '--deep']), /"severity":"error"/)
  } finally {
    between.slowTo = 0
    await killed.stop()
    await rm(dir, { recursive: true, force: true })
  }
})
