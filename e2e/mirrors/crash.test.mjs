// A server that is killed in the midst of a pull goes on where it was.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { startServer } from '../fixtures/server.mjs'
import { startBetween } from './between.mjs'
import { download, ended, givenModel, givenOwner, pullingThrough } from './upstream.mjs'

test('a pull that is killed keeps its ranges, and ends in the next process', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-pull-'))
  const upstream = await startServer()
  const settings = { 'upstreams.near.base_url': upstream.url }
  let server = await startServer({ ...settings, 'pull.bandwidth_limit': '40MiB' }, { dir })
  try {
    const owner = await givenOwner(upstream)
    const { repo, commit, files } = await givenModel(owner, 'large', { 'big.bin': 150 * 2 ** 20 })
    const person = await server.newPerson('puller')
    const wish = { upstream: 'near', type: 'model', repo }
    const { id } = await person.native('POST', '/pulls', wish)
    for (;;) {
      const { files: listed } = await person.native('GET', `/pulls/${id}`)
      if (listed.some(({ done }) => done > 0)) break
      await pause(50)
    }
    await server.kill('SIGKILL')
    assert.equal((await download(upstream.url, repo, commit, 'big.bin')).status, 200)
    server = await startServer(settings, { dir })
    const again = await server.login(person.username, person.password)
    const job = await ended(again, id)
    assert.equal(job.status, 'succeeded', JSON.stringify(job))
    assert.ok((await download(server.url, repo, commit, 'big.bin')).bytes.equals(files['big.bin']))
    const found = await server.cli(['fsck', '--deep'])
    assert.doesNotMatch(found, /"severity":"error"/)
  } finally {
    await server.stop()
    await upstream.stop()
    await rm(dir, { recursive: true, force: true })
  }
})

const steps = {
  'before the repo is known': ({ url }) => url.startsWith('/api/models/'),
  'before its commits come': ({ url }) => url.includes('/info/refs'),
  'while its commits come': ({ url, n }) => url.endsWith('/git-upload-pack') && n === 2,
  'before its first file': ({ url }) => url.includes('/resolve/'),
  'before its last range': ({ url, range }) =>
    url.includes('/resolve/') && range?.startsWith('bytes=67108864-'),
}

/** Kills a server once it asks its upstream for what `isIt` accepts: a request, and how often its address was asked for. */
function killAt(between, server, isIt) {
  const seen = {}
  between.meets = async (entry) => {
    if (server.hasExited()) return
    seen[entry.url] = (seen[entry.url] ?? 0) + 1
    if (isIt({ ...entry, n: seen[entry.url] })) await server.kill('SIGKILL')
  }
}

const readSteps = {
  'before the repo is known': steps['before the repo is known'],
  'before its commits come': steps['before its commits come'],
  'while its commits come': steps['while its commits come'],
  'before its first byte': steps['before its first file'],
  'while its bytes come': () => false,
}

test('a pull that is killed at any step ends in the next process', { timeout: 600_000 }, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-steps-'))
  const upstream = await startServer()
  const between = await startBetween(upstream.url)
  const settings = { 'upstreams.near.base_url': between.url, 'jobs.lease': '3s' }
  let server = await startServer(settings, { dir })
  try {
    const owner = await givenOwner(upstream)
    const person = await server.newPerson('puller')
    let { native } = person
    for (const [i, [step, isIt]] of Object.entries(steps).entries()) {
      const sizes = { 'big.bin': 70 * 2 ** 20, 'small.bin': 1000 }
      const { repo, commit, files } = await givenModel(owner, `step-${i}`, sizes)
      const { id } = await native('POST', '/pulls', { upstream: 'near', type: 'model', repo })
      killAt(between, server, isIt)
      const killed = await Promise.race([server.exited.then(() => true), pause(120_000, false)])
      between.meets = undefined
      assert.ok(killed, `${step}: the server was not killed`)
      server = await startServer(settings, { dir })
      const again = await server.login(person.username, person.password)
      native = again.native
      const job = await ended(again, id, { minutes: 4 })
      assert.equal(job.status, 'succeeded', `${step}: ${JSON.stringify(job)}`)
      for (const [path, bytes] of Object.entries(files))
        assert.ok((await download(server.url, repo, commit, path)).bytes.equals(bytes), `${step}: ${path}`)
    }
    assert.doesNotMatch(await server.cli(['fsck', '--deep']), /"severity":"error"/)
  } finally {
    await server.stop()
    between.stop()
    await upstream.stop()
    await rm(dir, { recursive: true, force: true })
  }
})

test('a read through that is killed at any step gets nothing unverified, and all of it in the next process', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-steps-'))
  const upstream = await startServer()
  const between = await startBetween(upstream.url)
  const settings = {
    'upstreams.near.base_url': between.url,
    'upstreams.huggingface.enabled': 'false',
    ...pullingThrough,
  }
  let server = await startServer(settings, { dir })
  try {
    const owner = await givenOwner(upstream)
    for (const [i, [step, isIt]] of Object.entries(readSteps).entries()) {
      const { repo, commit, files } = await givenModel(owner, `read-${i}`, { 'big.bin': 40 * 2 ** 20 })
      killAt(between, server, isIt)
      const refused = assert.rejects(download(server.url, repo, 'main', 'big.bin'), step)
      if (step === 'while its bytes come') {
        between.slowTo = 20 * 2 ** 20
        await untilAsked(between, `/${repo}/resolve/`, 20 * 2 ** 20)
        await server.kill('SIGKILL')
      }
      await refused
      await server.exited
      between.meets = undefined
      between.slowTo = 0
      server = await startServer(settings, { dir })
      assert.ok((await download(server.url, repo, commit, 'big.bin')).bytes.equals(files['big.bin']), step)
    }
    assert.doesNotMatch(await server.cli(['fsck', '--deep']), /"severity":"error"/)
  } finally {
    await server.stop()
    between.stop()
    await upstream.stop()
    await rm(dir, { recursive: true, force: true })
  }
})

/** Waits until an upstream has sent so many bytes of a request. */
async function untilAsked(between, url, bytes) {
  while (!between.asked.some((one) => one.url.startsWith(url) && one.bytes >= bytes)) await pause(20)
}

test('a cancel ends a pull within seconds and keeps what is complete', async () => {
  const upstream = await startServer()
  const server = await startServer({
    'upstreams.near.base_url': upstream.url,
    'pull.bandwidth_limit': '1MiB',
  })
  try {
    const owner = await givenOwner(upstream)
    const { repo } = await givenModel(owner, 'slow', { 'a.bin': 1000, 'big.bin': 40 * 2 ** 20 })
    const person = await server.newPerson('puller')
    const { id } = await person.native('POST', '/pulls', { upstream: 'near', type: 'model', repo })
    for (;;) {
      const { files } = await person.native('GET', `/pulls/${id}`)
      if (files.some(({ path, status }) => path === 'a.bin' && status === 'done')) break
      await pause(50)
    }
    await person.native('POST', `/jobs/${id}/cancel`)
    assert.equal((await ended(person, id)).status, 'cancelled')
    const tree = await person.native('GET', `/repos/models/${repo}/tree/main`)
    const presence = Object.fromEntries(tree.entries.map((entry) => [entry.name, entry.presence]))
    assert.equal(presence['a.bin'], 'present')
    assert.notEqual(presence['big.bin'], 'present')
    assert.equal((await person.native('GET', `/repos/models/${repo}/mirror`)).state, 'failed')
  } finally {
    await server.stop()
    await upstream.stop()
  }
})
