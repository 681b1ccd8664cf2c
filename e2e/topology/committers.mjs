// Twenty people who commit while packs are joined and swept and processes are killed at random: every change that was
// acknowledged must be there, once, and nothing that no row names may be left after a sweep.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Caller, unique } from './caller.mjs'
import { Topology } from './topology.mjs'

const run = promisify(execFile)
const people = 20
const branches = ['main', 'main', 'one', 'two', 'three']
const gcEveryMs = 2000
const killEveryMs = [1000, 4000]

// Short, so that the sweeps of the test find something; no read or commit of it takes as long.
const settings = {
  'git.compact_threshold': '3',
  'git.timeout': '30s',
  'git.pack_grace_period': '30s',
  'jobs.lease': '3s',
}
// For the sweep at the end, when nobody is at work.
const impatient = {
  'git.timeout': '1s',
  'git.pack_grace_period': '1s',
  'lfs.upload_url_ttl': '1s',
  'gc.grace_period': '1s',
}

/** Lets them work for so long. Answers figures; throws what is not as it must be. */
export async function commitAndKill(stores, { workMs, mode }) {
  const topology = await Topology.start(stores, { mode, settings })
  try {
    const caller = await Caller.of(topology)
    const repo = await caller.givenRepo()
    const from = (await caller.native('GET', repo.path)).head_commit
    for (const name of ['one', 'two', 'three'])
      await caller.native('POST', `${repo.path}/branches`, { name, from })
    const over = AbortSignal.timeout(workMs)
    const ledger = { acknowledged: [], doubtful: [], answers: {} }
    const who = Array.from({ length: people }, (_, i) => commits(caller, repo, branches[i % 5], ledger, over))
    const [, kills, sweeps] = await Promise.all([
      Promise.all(who),
      killAtRandom(topology, over),
      sweepAgainAndAgain(topology, over),
    ])
    await topology.startProcesses()
    const history = await assertHistory(topology, caller, repo, ledger)
    assert.equal((await topology.cli(['fsck', '--deep'])).trim(), '')
    await assertNothingLeft(topology)
    const { acknowledged, answers } = ledger
    return { commits: acknowledged.length, answers, kills, sweeps, history }
  } finally {
    await topology.stop()
  }
}

async function commits(caller, repo, branch, { acknowledged, doubtful, answers }, over) {
  const body = (path) => ({ title: path, branch, operations: [{ op: 'add', path, text: `${path}\n` }] })
  while (!over.aborted) {
    const path = `${unique().slice(0, 2)}/${unique()}.txt`
    const { status, headers, bytes } = await caller.ask(
      'POST',
      `/api/service/v1${repo.path}/commits`,
      body(path),
    )
    answers[status] = (answers[status] ?? 0) + 1
    if (status === 201 || status === 200) acknowledged.push({ branch, path })
    else {
      // A cut connection or a proxy that lost its server leaves open what became of it; a refusal does not.
      assert.ok([0, 409, 502, 503].includes(status), `${status} ${bytes.toString().slice(0, 500)}`)
      if (status !== 409) doubtful.push({ branch, path })
      if (status === 503) assert.match(headers.get('Retry-After') ?? '', /^\d+$/)
      await pause(randomInt(20, 100))
    }
  }
}

async function killAtRandom(topology, over) {
  let kills = 0
  while (!over.aborted) {
    await pause(randomInt(...killEveryMs), undefined, { signal: over }).catch(() => undefined)
    if (over.aborted) break
    const one = topology.processes[randomInt(topology.processes.length)]
    await one.kill()
    kills++
    await one.start()
  }
  return kills
}

/** As the schedule does, only more often. */
async function sweepAgainAndAgain(topology, over) {
  let sweeps = 0
  while (!over.aborted) {
    await queueSweep(topology)
    sweeps++
    await pause(gcEveryMs, undefined, { signal: over }).catch(() => undefined)
  }
  return sweeps
}

async function queueSweep({ place }) {
  const [row] = await place.query(
    `INSERT INTO jobs (id, kind, status, title, input, dedup_key, active_key, attempt, max_attempts, run_after,
       cancel_requested, progress_done, progress_unit, created_at)
     VALUES (gen_random_uuid()::text, 'gc', 'queued', 'sweep', '{}', 'schedule', 'gc/schedule', 0, 3, now(), false, 0, 'items', now())
     ON CONFLICT DO NOTHING RETURNING id`,
  )
  return row?.id
}

/** Every acknowledged change is there, every other wholly or not at all, and each commit has one parent. */
async function assertHistory(topology, caller, repo, { acknowledged, doubtful }) {
  const folder = join(topology.dir, 'clone.git')
  const url = new URL(`/service-admin/${repo.name}.git`, topology.url)
  Object.assign(url, { username: 'service-admin', password: caller.token })
  await run('git', ['clone', '-q', '--mirror', url.href, folder])
  const git = async (...args) =>
    (await run('git', ['-C', folder, ...args], { maxBuffer: 2 ** 28 })).stdout.split('\n').filter(Boolean)
  await git('fsck', '--strict', '--full')
  let history = 0
  for (const branch of new Set(branches)) {
    const paths = new Set(await git('ls-tree', '-r', '--name-only', branch))
    const mine = acknowledged.filter((each) => each.branch === branch)
    const lost = mine.filter(({ path }) => !paths.has(path))
    assert.deepEqual(lost, [], `${branch} has lost ${lost.length} of ${mine.length}`)
    const maybe = doubtful.filter((each) => each.branch === branch && paths.has(each.path))
    const subjects = await git('log', '--format=%s', branch)
    const merges = await git('log', '--merges', '--format=%H', branch)
    assert.deepEqual(merges, [])
    const made = [...mine, ...maybe].map(({ path }) => path)
    const of = subjects.filter((subject) => subject.endsWith('.txt'))
    assert.deepEqual(of.toSorted(), made.toSorted(), `${branch} has a change twice, or one nobody asked for`)
    history += of.length
  }
  return history
}

/** After a sweep with nobody at work no pack is kept but the live ones, and no bytes but those that rows name. */
async function assertNothingLeft(topology) {
  for (const each of topology.processes) await each.stop()
  for (const each of topology.processes) each.configure(impatient)
  await topology.startProcesses()
  // Past the doubled timeout of packs whose writer was killed.
  await pause(2500)
  const caller = await Caller.of(topology, 'sweep')
  // A Job of the schedule may be under way.
  let id
  while ((id = await queueSweep(topology)) === undefined) await pause(100)
  const swept = await caller.untilJob(id, ({ status }) => status !== 'queued' && status !== 'running')
  assert.equal(swept.status, 'succeeded', JSON.stringify(swept))
  const rows = await topology.place.query('SELECT id, state FROM git_packs')
  assert.deepEqual([...new Set(rows.map(({ state }) => state))], ['live'])
  const named = new Set(rows.flatMap(({ id: pack }) => [`${pack}.pack`, `${pack}.idx`]))
  const keys = await topology.place.keys()
  const left = keys.filter((key) => key.includes('/git/') && !named.has(key.split('/').at(-1)))
  assert.deepEqual(left, [])
  assert.deepEqual(await topology.place.query('SELECT key FROM blob_deletions'), [])
}
