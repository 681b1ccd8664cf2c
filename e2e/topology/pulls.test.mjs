// Pulls and pull-through with two web and two worker processes over Postgres and S3.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startServer } from '../fixtures/server.mjs'
import { bodiesOf, startBetween } from '../mirrors/between.mjs'
import { download, givenModel, givenOwner, pullingThrough } from '../mirrors/upstream.mjs'
import { Caller } from './caller.mjs'
import { openStores } from './stores.mjs'
import { Topology } from './topology.mjs'

const MiB = 2 ** 20
/** Bytes a second, over all processes. */
const limit = 24 * MiB
/** Until a transfer of a dead process is taken over, on a busy machine. */
const longestMs = 240_000

const given = {}
before(async () => {
  given.stores = await openStores()
  given.upstream = await startServer()
  given.between = await startBetween(given.upstream.url)
  given.topology = await Topology.start(given.stores, {
    mode: 'proxy',
    settings: {
      'upstreams.near.base_url': given.between.url,
      'upstreams.huggingface.enabled': 'false',
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
  await given.upstream?.stop()
  await given.stores?.stop()
})

const pull = (repo) => given.caller.native('POST', '/pulls', { upstream: 'near', type: 'model', repo })
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

test('a worker that is killed in the middle of a pull is followed by the other, which fetches the rest', async () => {
  const { repo, commit, files } = await givenModel(given.owner, 'killed', { 'big.bin': 256 * MiB })
  const { id } = await pull(repo)
  const isUnderWay = async () => {
    const { files: listed } = await given.caller.native('GET', `/pulls/${id}`)
    return listed.some(({ done }) => done > 0)
  }
  await until(isUnderWay, 'the pull did not begin')
  const killed = await workerOf(id)
  assert.ok(killed, 'a worker runs the pull')
  await killed.kill()
  await given.caller.untilJob(id, ({ status }) => status === 'succeeded', longestMs)
  const [{ attempt }] = await given.topology.place.query('SELECT attempt FROM jobs WHERE id = $1', [id])
  assert.ok(attempt > 1, 'another worker took it up')
  assert.ok((await download(given.topology.url, repo, commit, 'big.bin')).bytes.equals(files['big.bin']))
  // What was in flight comes again: four ranges of 32 MiB at most.
  const sent = sentFor(`${repo}/resolve`)
  assert.ok(sent <= (256 + 128 + 1) * MiB, `the upstream sent ${sent} bytes`)
  await killed.start()
})

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

test('readers of both web processes share one transfer', async () => {
  const { repo, commit, files } = await givenModel(given.owner, 'crowd', { 'shared.bin': 64 * MiB })
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => download(given.topology.url, repo, commit, 'shared.bin')),
  )
  for (const { status, bytes } of answers) {
    assert.equal(status, 200)
    assert.ok(bytes.equals(files['shared.bin']))
  }
  assert.equal(bodiesOf(given.between, `${repo}/resolve`).length, 1)
})

test('when the web process that fetches a file is killed, readers of the other get it whole', async () => {
  const { repo, commit, files } = await givenModel(given.owner, 'orphan', { 'big.bin': 160 * MiB })
  const [first, second] = given.topology.only('web')
  const urlOf = ({ port }) => `http://127.0.0.1:${port}`
  const cut = download(urlOf(first), repo, commit, 'big.bin').catch(() => 'cut')
  await until(() => sentFor(`${repo}/resolve`) > 48 * MiB, 'the first reader got nothing')
  const other = download(urlOf(second), repo, commit, 'big.bin')
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
  assert.doesNotMatch(await given.topology.cli(['fsck', '--deep']), /"severity":"error"/)
})
