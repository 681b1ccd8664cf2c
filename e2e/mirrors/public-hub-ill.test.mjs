// A public hub that is gone, fails, limits or is silent: what is here is served, and what is not says why, never "there is none".
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ensurePython } from '../../api/dev/toolchain/python.mjs'
import { startServer } from '../fixtures/server.mjs'
import { loadWith } from './loader.mjs'
import { PublicHub, reachingCdn } from './public-hub.mjs'
import { pullingThrough } from './upstream.mjs'

const MiB = 2 ** 20
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** @type {PublicHub} */
let hub
let server
let dir
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-ill-'))
  hub = await PublicHub.start()
  server = await startServer({
    'upstreams.huggingface.enabled': 'false',
    'upstreams.one.base_url': hub.url,
    ...reachingCdn,
    ...pullingThrough,
  })
})
after(async () => {
  await server?.stop()
  await hub?.stop()
  if (dir) await rm(dir, { recursive: true, force: true })
})
afterEach(() => {
  hub.mood = hub.illAt = undefined
  assert.deepEqual(hub.faults, [])
})

/** A model at the hub. */
async function given(name) {
  const repo = `acme/${name}`
  const files = { 'weights/model.bin': randomBytes(2 * MiB), 'other.bin': randomBytes(2 * MiB) }
  await hub.commit(repo, { 'config.json': '{"model_type":"bert"}' }, files)
  return { repo, files }
}

async function ask(path, headers = {}) {
  const answer = await fetch(`${server.url}/${path}`, { headers })
  const { status, headers: got } = answer
  return {
    status,
    code: got.get('x-error-code'),
    retryAfter: Number(got.get('retry-after')),
    bytes: Buffer.from(await answer.arrayBuffer()),
  }
}

/** A model of which one large file is here and the other is not. */
async function givenHalf(name) {
  const { repo, files } = await given(name)
  const here = await ask(`${repo}/resolve/main/weights/model.bin`)
  assert.ok(here.bytes.equals(files['weights/model.bin']))
  return { repo, files }
}

/** What is here is answered as on a good day, and what its tree does not have is not there. */
async function requireServed({ repo, files }) {
  const [stored, small, none, info] = await Promise.all([
    ask(`${repo}/resolve/main/weights/model.bin`),
    ask(`${repo}/resolve/main/config.json`),
    ask(`${repo}/resolve/main/tokenizer.json`),
    ask(`api/models/${repo}`),
  ])
  assert.ok(stored.bytes.equals(files['weights/model.bin']))
  assert.deepEqual([small.status, info.status], [200, 200])
  assert.deepEqual([none.status, none.code], [404, 'EntryNotFound'])
}

for (const mood of ['gone', 'unavailable'])
  test(`while the hub is ${mood}, stored files load, and what is not here is 504`, async () => {
    const half = await givenHalf(`half-${mood}`)
    const cold = await given(`cold-${mood}`)
    hub.mood = mood
    await requireServed(half)
    const absent = await Promise.all([
      ask(`${half.repo}/resolve/main/other.bin`),
      ask(`${half.repo}/resolve/main/other.bin`, { Range: 'bytes=0-99' }),
      ask(`${half.repo}/resolve/v2/config.json`),
      ask(`api/models/${cold.repo}`),
      ask(`${cold.repo}/resolve/main/config.json`),
      ask(`${cold.repo}/info/refs?service=git-upload-pack`),
      ask(`api/models/acme/never-${mood}`),
    ])
    for (const { status, code, retryAfter } of absent) {
      assert.deepEqual([status, code], [504, null])
      assert.ok(retryAfter > 0)
    }
    hub.mood = undefined
    // Nothing of it is remembered.
    const later = await ask(`${half.repo}/resolve/main/other.bin`)
    assert.ok(later.bytes.equals(half.files['other.bin']))
    assert.equal((await ask(`api/models/${cold.repo}`)).status, 200)
    assert.equal((await ask(`api/models/acme/never-${mood}`)).code, 'RepoNotFound')
  })

test('a hub whose git alone fails is not taken for one without git', async () => {
  const { repo } = await given('git-fails')
  hub.illAt = 'git'
  for (const mood of ['unavailable', 'gone']) {
    hub.mood = mood
    assert.equal((await ask(`api/models/${repo}`)).status, 504, mood)
  }
  hub.mood = undefined
  const { sha } = JSON.parse((await ask(`api/models/${repo}`)).bytes.toString())
  assert.equal(sha, await hub.resolve(repo, 'main'))
  const { mirror } = await (await server.login()).native('GET', `/repos/models/${repo}`)
  const { fidelity } = await (await server.login()).native('GET', `/repos/models/${repo}/mirror`)
  assert.deepEqual([mirror.upstream, fidelity], ['one', 'git'])
})

test('a CDN that fails alone is 504 for its files, and all else goes on', async () => {
  const half = await givenHalf('cdn-fails')
  const { repo } = await given('cdn-cold')
  hub.illAt = 'cdn'
  hub.mood = 'unavailable'
  await requireServed(half)
  assert.equal((await ask(`${half.repo}/resolve/main/other.bin`)).status, 504)
  assert.equal((await ask(`${repo}/resolve/main/config.json`)).status, 200)
})

test('a transfer that breaks goes on where it was, by another address than the one that has expired', async () => {
  const { repo, files } = await given('cut')
  const bytes = files['other.bin']
  const requests = () => hub.cdn.requestsFor(sha256(bytes))
  // The address expires before the connection breaks.
  Object.assign(hub.cdn, { lifetimeMs: 3000, slowTo: MiB / 4, cutAfter: MiB })
  const reading = ask(`${repo}/resolve/main/other.bin`)
  while (requests().length < 2) await pause(50)
  Object.assign(hub.cdn, { lifetimeMs: 20_000, slowTo: 0, cutAfter: Infinity })
  const got = await reading
  assert.ok(got.bytes.equals(bytes))
  const [first, second, ...more] = requests()
  assert.deepEqual([first.start, second.end, more], [0, bytes.length, []])
  assert.ok(second.start > 0 && second.start <= first.bytes)
})

test('a hub that limits is left alone for as long as it asks, and callers hear how long', async () => {
  const half = await givenHalf('half-limited')
  const cold = await given('cold-limited')
  hub.mood = 'throttled'
  const first = await ask(`api/models/${cold.repo}`)
  assert.deepEqual([first.status, first.code, first.retryAfter], [429, null, 5])
  const asked = hub.asked.length
  const second = await ask(`${half.repo}/resolve/main/other.bin`)
  assert.equal(second.status, 429)
  assert.ok(second.retryAfter > 0)
  assert.equal(hub.asked.length, asked, 'it was asked while it wanted to be left alone')
  await requireServed(half)
  hub.mood = undefined
  // What it asked for, and how long a process may not know that it is over.
  await pause(7500)
  assert.equal((await ask(`api/models/${cold.repo}`)).status, 200)
  const later = await ask(`${half.repo}/resolve/main/other.bin`)
  assert.ok(later.bytes.equals(half.files['other.bin']))
})

test('while the hub is silent, what is here is answered without it, and the rest is 504', async () => {
  const half = await givenHalf('half-silent')
  const cold = await given('cold-silent')
  hub.mood = 'silent'
  const waiting = ask(`api/models/${cold.repo}`)
  await requireServed(half)
  const { status, retryAfter } = await waiting
  assert.equal(status, 504)
  assert.ok(retryAfter > 0)
})

test('huggingface_hub fails with 504, keeps no "there is none", and loads the same repo later', async () => {
  const { repo, files } = await given('client')
  const python = (await ensurePython()).e
  const at = { url: server.url, home: join(dir, 'home') }
  const load = () => loadWith(python, ['everything.py', repo, join(dir, 'cache')], at)
  hub.mood = 'unavailable'
  await assert.rejects(load(), /504/)
  hub.mood = undefined
  const { files: loaded } = await load()
  assert.equal(loaded['weights/model.bin'], sha256(files['weights/model.bin']))
  hub.mood = 'gone'
  assert.deepEqual((await load()).files, loaded)
})
