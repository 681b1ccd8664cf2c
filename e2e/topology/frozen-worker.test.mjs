// A worker that is frozen beyond its lease, in the middle of jobs, and wakes when another has done them.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { topologyOnTheWay } from './fixture.mjs'

/** The default is a minute; `npm test` has less time. */
const leaseMs = 1000 * Number(process.env['TOPOLOGY_LEASE_SECONDS'] ?? 3)
const frozenMs = 1.5 * leaseMs
/** Until a job is done that another worker must first take over. */
const longestMs = 90_000 + leaseMs

const given = topologyOnTheWay((way) => ({
  web: 1,
  // Each commit is indexed and scanned as well; those jobs may be held, too, and must not keep the others waiting.
  settings: { 'jobs.lease': `${leaseMs}ms`, 'git.compact_threshold': '3', 'jobs.workers': '12' },
  ofRole: { worker: { 'storage.s3.endpoint': way.url } },
}))

test(`a worker that wakes after ${frozenMs / 1000} s, beyond the lease of its jobs, changes nothing more`, async () => {
  const { way, topology, caller } = given
  const [, first, second] = topology.processes
  await second.stop()
  const repo = await caller.givenRepo()
  const large = randomBytes(200_000)
  const object = await caller.upload(repo, 'large.bin', large)
  await caller.commit(repo, [{ op: 'add', path: 'large.bin', lfs: object }])
  way.hold(({ method }) => method === 'GET')
  const zip = await caller.native('POST', `${repo.path}/zip`)
  for (let i = 0; i < 4; i++) await caller.commit(repo, [{ op: 'add', path: `f${i}`, text: `${i}` }])
  const compaction = await runningCompaction(repo)
  await until(() => way.held.length >= 2)
  first.signal('SIGSTOP')
  const thawedAt = Date.now() + frozenMs
  way.release()
  await second.start()
  const done = await caller.untilJob(zip.id, isDone, longestMs)
  await caller.untilJob(compaction, isDone, longestMs)
  // A commit may have asked for the packs to be joined once more.
  await until(async () => (await stateOf(repo)).jobs.every(isDone))
  const before = await stateOf(repo)
  const attempts = before.jobs
    .filter(({ id }) => [zip.id, compaction].includes(id))
    .map(({ attempt }) => attempt)
  assert.deepEqual(attempts, [2, 2])
  await pause(Math.max(0, thawedAt - Date.now()))
  first.signal('SIGCONT')
  // Time to go on with what it had begun; its end waits for the rest.
  await pause(3000)
  await first.stop()
  assert.deepEqual(await stateOf(repo), before)
  assert.match(topology.log(), /a job lost its lease/)
  const archive = await caller.insist('GET', done.result.url)
  assert.equal(archive.status, 200)
  assert.ok(archive.bytes.includes(large.subarray(0, 1000)))
  assert.equal((await topology.cli(['fsck', '--deep'])).trim(), '')
})

const isDone = ({ status }) => status === 'succeeded'

/** The job that joins the packs of a repo, once it runs. */
async function runningCompaction({ id }) {
  const find = () =>
    given.topology.place.query(
      `SELECT id FROM jobs WHERE kind = 'git.compact' AND repo_id = $1 AND status = 'running'`,
      [id],
    )
  await until(async () => (await find()).length > 0)
  return (await find())[0].id
}

async function until(isSo) {
  for (const deadline = Date.now() + 60_000; !(await isSo()); await pause(50))
    assert.ok(Date.now() < deadline, 'it did not come about')
}

/** What jobs may change of a repo. */
async function stateOf({ id }) {
  const { place } = given.topology
  const packs = await place.query('SELECT id, state, sha1 FROM git_packs WHERE repo_id = $1 ORDER BY id', [
    id,
  ])
  // Those of the server itself begin by the clock, at any time.
  const jobs = await place.query(
    'SELECT id, kind, status, attempt FROM jobs WHERE repo_id = $1 ORDER BY id',
    [id],
  )
  return { packs, jobs }
}
