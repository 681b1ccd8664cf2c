// Pulls and pull-through with two web and two worker processes over Postgres and S3.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ensurePython } from '../../api/dev/toolchain/python.mjs'
import { startServer } from '../fixtures/server.mjs'
import { openBench } from '../git/workbench.mjs'
import { startBetween } from '../mirrors/between.mjs'
import { loadWith } from '../mirrors/loader.mjs'
import { PublicHub, reachingCdn } from '../mirrors/public-hub.mjs'
import { download, givenModel, givenOwner, pullingThrough } from '../mirrors/upstream.mjs'
import { Caller } from './caller.mjs'
import { openStores } from './stores.mjs'
import { Topology } from './topology.mjs'

const MiB = 2 ** 20
/** Bytes a second, over all processes. */
const limit = 24 * MiB
/** Of a file, as a pull asks for them. */
const rangeBytes = 32 * MiB
/** Until a transfer of a dead process is taken over, on a busy machine. */
const longestMs = 240_000

const given = {}
before(async () => {
  given.stores = await openStores()
  given.upstream = await startServer()
  given.between = await startBetween(given.upstream.url)
  given.hub = await PublicHub.start()
  given.topology = await Topology.start(given.stores, {
    mode: 'proxy',
    settings: {
      'upstreams.near.base_url': given.between.url,
      'upstreams.public.base_url': given.hub.url,
      'upstreams.huggingface.enabled': 'false',
      ...reachingCdn,
      ...pullingThrough,
      'pull.bandwidth_limit': String(limit),
      'jobs.lease': '3s',
    },
  })
  given.caller = await Caller.of(given.topology)
  given.owner = await givenOwner(given.upstream)
})
after(async () => {
  await given.topology?.stop()
  given.between?.stop()
  await given.hub?.stop()
  await given.upstream?.stop()
  await given.stores?.stop()
})

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')
const pull = (repo, upstream = 'near') =>
  given.caller.native('POST', '/pulls', { upstream, type: 'model', repo })
const sentFor = (path) =>
  given.between.asked.filter(({ url }) => url.includes(path)).reduce((sum, { bytes }) => sum + bytes, 0)

async function until(isSo, what) {
  for (const deadline = Date.now() + longestMs; !(await isSo()); await pause(50))
    assert.ok(Date.now() < deadline, what)
}

/** The worker process that runs a job. */
async function workerOf(id) {
  const [row] = await given.topology.place.query('SELECT worker FROM jobs WHERE id = $1', [id])
  const pid = Number(row?.worker?.split('/')[1])
  return given.topology.only('worker').find((each) => each.pid === pid)
}

/** A model at the public hub, with a large file. */
async function givenPublic(name, bytes, more = {}) {
  const repo = `acme/${name}`
  const files = { 'config.json': '{"model_type":"bert"}', '.gitattributes': '*.bin filter=lfs\n', ...more }
  return { repo, bytes, commit: await given.hub.commit(repo, files, { 'weights/model.bin': bytes }) }
}

const urlsOfWeb = () => given.topology.only('web').map(({ port }) => `http://127.0.0.1:${port}`)

test('a worker that is killed in the middle of a pull is followed by the other, which fetches the rest', async () => {
  const { hub, topology, caller } = given
  const { repo, commit, bytes } = await givenPublic('killed', randomBytes(256 * MiB))
  const { id } = await pull(repo, 'public')
  const isUnderWay = async () => {
    const { files: listed } = await caller.native('GET', `/pulls/${id}`)
    return listed.some(({ done }) => done > 0)
  }
  await until(isUnderWay, 'the pull did not begin')
  const killed = await workerOf(id)
  assert.ok(killed, 'a worker runs the pull')
  await killed.kill()
  const before = hub.cdn.requestsFor(sha256(bytes)).length
  await caller.untilJob(id, ({ status }) => status === 'succeeded', longestMs)
  const [{ attempt }] = await topology.place.query('SELECT attempt FROM jobs WHERE id = $1', [id])
  assert.ok(attempt > 1, 'another worker took it up')
  const got = await download(topology.url, repo, commit, 'weights/model.bin')
  assert.ok(got.bytes.equals(bytes))
  // What was in flight comes again, four ranges at most; what was kept does not, and nothing comes a third time.
  const asked = hub.cdn.requestsFor(sha256(bytes))
  const starts = asked.map(({ start }) => start)
  const again = starts.slice(before).filter((start) => starts.slice(0, before).includes(start))
  assert.deepEqual(
    [...new Set(starts)].toSorted((a, b) => a - b),
    ranges(bytes.length),
  )
  assert.ok(again.length <= 4, `${again.length} ranges came again`)
  assert.equal(starts.length, ranges(bytes.length).length + again.length)
  await killed.start()
})

const ranges = (size) => Array.from({ length: Math.ceil(size / rangeBytes) }, (_, n) => n * rangeBytes)

test('the bandwidth limit holds for all processes together', async (t) => {
  const sizes = { 'big.bin': 400 * MiB }
  const models = await Promise.all(['one', 'two'].map((name) => givenModel(given.owner, name, sizes)))
  const jobs = await Promise.all(models.map(({ repo }) => pull(repo)))
  const workers = async () => new Set(await Promise.all(jobs.map(({ id }) => workerOf(id))))
  const sent = () => models.reduce((sum, { repo }) => sum + sentFor(`${repo}/resolve`), 0)
  await until(() => sent() > 8 * MiB, 'no pull began')
  // Until each process knows of the other.
  await pause(6000)
  const used = await workers()
  const [from, at] = [sent(), performance.now()]
  await pause(15_000)
  const rate = (sent() - from) / ((performance.now() - at) / 1000)
  t.diagnostic(`${(rate / MiB).toFixed(1)} MiB/s of ${limit / MiB}, by ${used.size} workers`)
  assert.ok(rate <= 1.1 * limit, `${rate} bytes a second are more than the limit of ${limit}`)
  for (const { id } of jobs) await given.caller.native('POST', `/jobs/${id}/cancel`)
})

test('sixteen clients of both web processes share one fetch of a repo, and one transfer of its file', async () => {
  const { hub } = given
  const { repo, commit, bytes } = await givenPublic('crowd', randomBytes(64 * MiB))
  const clients = Array.from({ length: 16 }, (_, n) => urlsOfWeb()[n % 2])
  const infos = await Promise.all(clients.map((url) => fetch(`${url}/api/models/${repo}`)))
  for (const answer of infos) assert.equal((await answer.json()).sha, commit)
  const fetches = hub.asked.filter(({ url }) => url === `/${repo}/git-upload-pack`)
  assert.equal(fetches.length, 2, 'the list of refs, and the commit')
  const answers = await Promise.all(clients.map((url) => download(url, repo, commit, 'weights/model.bin')))
  for (const answer of answers) {
    assert.equal(answer.status, 200)
    assert.ok(answer.bytes.equals(bytes))
  }
  assert.equal(hub.cdn.requestsFor(sha256(bytes)).length, 1)
  assert.equal(hub.cdn.bytesOf(sha256(bytes)), bytes.length)
})

test('clients load a cold model, and again when the public hub is gone', async () => {
  const { hub, topology } = given
  const bytes = randomBytes(3 * MiB)
  const { repo, commit } = await givenPublic('clients', bytes, { 'weights/notes.txt': 'notes' })
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-clients-'))
  const bench = await openBench()
  const python = (await ensurePython()).e
  const load = (name) =>
    loadWith(python, ['everything.py', repo, join(dir, name)], { url: topology.url, home: join(dir, 'home') })
  const cloned = async () => {
    const clone = await bench.clone(`${topology.url}/${repo}`)
    assert.equal(await clone.head(), commit)
    assert.ok((await readFile(join(clone.folder, 'weights/model.bin'))).equals(bytes))
  }
  try {
    await bench.git(['lfs', 'install', '--skip-repo'])
    const cold = await load('cold')
    assert.deepEqual([cold.sha, cold.commit], [commit, commit])
    assert.deepEqual([cold.one, cold.files['weights/model.bin']], [sha256(bytes), sha256(bytes)])
    await cloned()
    assert.equal(hub.cdn.requestsFor(sha256(bytes)).filter((one) => one.bytes === bytes.length).length, 1)
    hub.mood = 'gone'
    assert.deepEqual(await load('gone'), cold)
    await cloned()
  } finally {
    hub.mood = undefined
    await bench.close()
    await rm(dir, { recursive: true, force: true })
  }
})

test('when the web process that fetches a file is killed, readers of the other get it whole', async () => {
  const { repo, commit, files } = await givenModel(given.owner, 'orphan', { 'big.bin': 160 * MiB })
  const [first] = given.topology.only('web')
  const [firstUrl, secondUrl] = urlsOfWeb()
  const cut = download(firstUrl, repo, commit, 'big.bin').catch(() => 'cut')
  await until(() => sentFor(`${repo}/resolve`) > 48 * MiB, 'the first reader got nothing')
  const other = download(secondUrl, repo, commit, 'big.bin')
  await pause(500)
  await first.kill()
  assert.equal(await cut, 'cut')
  const whole = await other
  assert.equal(whole.status, 200)
  assert.ok(whole.bytes.equals(files['big.bin']))
  await first.start()
})

test('nothing is left behind', async () => {
  const running = async () =>
    (await given.topology.place.query(`SELECT id FROM jobs WHERE status IN ('queued', 'running')`)).length
  await until(async () => (await running()) === 0, 'jobs do not end')
  assert.deepEqual(given.hub.faults, [])
  assert.doesNotMatch(await given.topology.cli(['fsck', '--deep']), /"severity":"error"/)
})
