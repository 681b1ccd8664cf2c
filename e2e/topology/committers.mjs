// Twenty users commit to one branch, and one makes and deletes branches, while packs are compacted and swept and
// processes are killed at random. Every acknowledged change must be there once, and a sweep must leave nothing that no
// row names.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { assertNothingLeft, ended, freeAll, queueGc } from '../soak/garbage.mjs'
import { Caller, unique } from './caller.mjs'
import { Topology } from './topology.mjs'

const run = promisify(execFile)
const people = 20
const gcEveryMs = 1000
/** @type {[least: number, most: number]} */
const killEveryMs = [1000, 4000]
/** After so many sweeps people rest until one more has ended: while refs move all the time none gets to prune. */
const sweepsBeforeRest = 5
const longestRestMs = 20_000
/** Large files that come, go and come again, so that some are deleted when they are sent again. */
const largeFiles = Array.from({ length: 3 }, () => randomBytes(20_000))

// Short, so that the sweeps find something; no read or commit takes as long.
const settings = {
  'git.compact_threshold': '3',
  'git.timeout': '30s',
  'git.pack_grace_period': '30s',
  'lfs.upload_url_ttl': '10s',
  'gc.grace_period': '10s',
  'jobs.lease': '3s',
}

/** Lets them work for so long. Answers figures; throws what is not as it must be. */
export async function commitAndKill(stores, { workMs, mode }) {
  const topology = await Topology.start(stores, { mode, settings })
  try {
    const caller = await Caller.of(topology)
    const repo = await caller.givenRepo()
    const over = AbortSignal.timeout(workMs)
    const ledger = { acknowledged: [], doubtful: [], answers: {}, deletedBranches: 0, rest: undefined }
    const who = Array.from({ length: people }, () => commits(caller, repo, ledger, over))
    const [kills] = await Promise.all([
      killAtRandom(topology, over),
      sweepAgainAndAgain(topology, ledger, over),
      litters(caller, repo, ledger, over),
      ...who,
    ])
    await topology.startProcesses()
    const commitsOnBranch = await assertHistory(topology, caller, repo, ledger)
    await freeAll(topology.place)
    await assertNothingLeft(topology.place)
    assert.equal((await topology.cli(['fsck', '--deep'])).trim(), '')
    const { acknowledged, answers, deletedBranches } = ledger
    const work = await workOf(topology.place)
    return { commits: acknowledged.length, commitsOnBranch, answers, deletedBranches, kills, ...work }
  } finally {
    await topology.stop()
  }
}

/** @typedef {{ branch?: string, title: string, operations: object[] }} Change */

/** Asks for a commit; answers whether it was acknowledged, false when it was refused or its outcome is unknown. */
async function commitOnce(caller, repo, /** @type {Change} */ { branch, title, operations }, { answers }) {
  const body = { title, operations, ...(branch && { branch }) }
  const { status, headers, bytes } = await caller.ask('POST', `/api/service/v1${repo.path}/commits`, body)
  answers[status] = (answers[status] ?? 0) + 1
  // A cut connection or a proxy that lost its server leaves open what became of it; a refusal does not.
  assert.ok([200, 201, 0, 409, 502, 503].includes(status), `${status} ${bytes.toString().slice(0, 500)}`)
  if (status === 503) assert.match(headers.get('Retry-After') ?? '', /^\d+$/)
  return { isMade: status === 200 || status === 201, isRefused: status === 409 }
}

async function commits(caller, repo, ledger, over) {
  while (!over.aborted) {
    await ledger.rest
    const path = `${unique().slice(0, 2)}/${unique()}.txt`
    const operations = [{ op: 'add', path, text: `${path}\n` }]
    const { isMade, isRefused } = await commitOnce(caller, repo, { title: path, operations }, ledger)
    if (isMade) ledger.acknowledged.push(path)
    else if (!isRefused) ledger.doubtful.push(path)
    if (!isMade) await pause(randomInt(20, 100))
  }
}

/** Makes branches with a large file each, and deletes them: what a prune is there for. */
async function litters(caller, repo, ledger, over) {
  const base = `/api/service/v1${repo.path}`
  while (!over.aborted) {
    await ledger.rest
    const name = `litter-${unique()}`
    const from = (await caller.native('GET', repo.path)).head_commit
    // Both may have been done by a server that was killed before it could say so.
    await caller.insist('POST', `${base}/branches`, { name, from })
    await caller.commit(repo, [{ op: 'add', path: `${name}.md`, text: name }], name)
    await commitLarge(caller, repo, name).catch((error) => {
      // Its reservation or the proof of its possession, which last for ten seconds, may have ended meanwhile.
      if (!/lfs-object-missing|state-conflict|not-found/.test(error.message)) throw error
    })
    const { status } = await caller.insist('DELETE', `${base}/branches/${name}`)
    if (status === 204) ledger.deletedBranches++
    await pause(200)
  }
}

async function commitLarge(caller, repo, branch) {
  const object = await caller.upload(repo, 'large.bin', largeFiles[randomInt(largeFiles.length)])
  const path = `${unique()}.bin`
  const operations = [{ op: 'add', path, lfs: object }]
  await caller.native('POST', `${repo.path}/commits`, { title: path, branch, operations })
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
async function sweepAgainAndAgain({ place }, ledger, over) {
  while (!over.aborted) {
    for (let i = 0; i < sweepsBeforeRest && !over.aborted; i++) {
      await queueGc(place)
      await pause(gcEveryMs, undefined, { signal: over }).catch(() => undefined)
    }
    ledger.rest = sweepOnce(place)
    await ledger.rest
  }
}

/** Waits for a sweep that begins now and ends, or for long enough. */
async function sweepOnce(place) {
  const deadline = Date.now() + longestRestMs
  let id
  while ((id = await queueGc(place)) === undefined && Date.now() < deadline) await pause(50)
  if (id) await ended(place, id, () => Date.now() > deadline)
}

/** What the jobs have done: how often storage was freed, objects were pruned and packs were joined. */
async function workOf(place) {
  const rows = await place.query(`SELECT kind, result FROM jobs WHERE status = 'succeeded'`)
  const of = (name) => rows.flatMap(({ kind, result }) => (kind === name ? [result] : []))
  const sum = (values) => values.reduce((total, value) => total + value, 0)
  const sweeps = of('gc')
  return {
    sweeps: sweeps.length,
    prunes: sum(sweeps.map(({ git }) => git.pruned)),
    prunedObjects: sum(sweeps.map(({ git }) => git.objects)),
    deletedPacks: sum(sweeps.map(({ packs }) => packs.deleted)),
    deletedLargeFiles: sum(sweeps.map(({ lfs_objects }) => lfs_objects.deleted)),
    compactions: of('git.compact').filter(({ replaced }) => replaced > 0).length,
  }
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
  const paths = new Set(await git('ls-tree', '-r', '--name-only', 'main'))
  const lost = acknowledged.filter((path) => !paths.has(path))
  assert.deepEqual(lost, [], `${lost.length} of ${acknowledged.length} are lost`)
  assert.deepEqual(await git('log', '--merges', '--format=%H', 'main'), [])
  const made = [...acknowledged, ...doubtful.filter((path) => paths.has(path))]
  const subjects = (await git('log', '--format=%s', 'main')).filter((subject) => subject.endsWith('.txt'))
  assert.deepEqual(
    subjects.toSorted(),
    made.toSorted(),
    'a change is there twice, or one that was not asked for',
  )
  return subjects.length
}
