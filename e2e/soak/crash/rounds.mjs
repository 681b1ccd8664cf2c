// Random kills of a busy server. Every operation is logged here before it is sent and once it is acknowledged; after
// each kill the server must have all that was acknowledged, and of the rest each thing wholly or not at all.
import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { assertGitAgrees } from './points.mjs'
import { owner } from './program.mjs'
import { givenRepo, sha256Of } from './asks.mjs'

const writers = 4
const longestBusyMs = 1000
/** Rounds after which everything ever acknowledged is read again. */
const betweenAudits = 50

const pick = (list) => list[randomInt(list.length)]
const unique = () => randomBytes(6).toString('hex')

/** What the server was asked to do, and what it said it did. */
class Ledger {
  /** path → bytes, of the files committed to `repo`. */
  files = new Map()
  /** Repos that were made: name → 'made' | 'deleted' | the name it was given since. */
  repos = new Map()
  /** Asked, and never answered: the server may have done them. */
  doubtful = { files: new Map(), repos: new Map() }
  acknowledged = 0

  constructor(repo) {
    this.repo = repo
  }
}

async function commitText(program, ledger) {
  const path = `text/${unique()}.txt`
  const bytes = Buffer.from(`${path}\n`.repeat(randomInt(1, 200)))
  ledger.doubtful.files.set(path, bytes)
  const operations = [{ op: 'add', path, text: bytes.toString() }]
  await program.native('POST', `${ledger.repo.path}/commits`, { title: `add ${path}`, operations })
  ledger.doubtful.files.delete(path)
  ledger.files.set(path, bytes)
}

async function uploadLarge(program, ledger) {
  const path = `large/${unique()}.bin`
  const bytes = randomBytes(randomInt(1, 400_000))
  const object = { sha256: sha256Of(bytes), size: bytes.length }
  const plan = await program.native('POST', `${ledger.repo.path}/uploads`, { files: [{ path, ...object }] })
  const { upload } = plan.files[0]
  if (upload) {
    const base = `${ledger.repo.path}/uploads/${upload.id}`
    const headers = { 'Content-Type': 'application/octet-stream' }
    const put = await program.call('PUT', `/api/service/v1${base}/parts/1`, { body: bytes, headers })
    assert.equal(put.status, 200, put.text)
    await program.native('POST', `${base}/complete`, { parts: [{ n: 1, etag: put.json.etag }] })
  }
  ledger.doubtful.files.set(path, bytes)
  const operations = [{ op: 'add', path, lfs: object }]
  await program.native('POST', `${ledger.repo.path}/commits`, { title: `add ${path}`, operations })
  ledger.doubtful.files.delete(path)
  ledger.files.set(path, bytes)
}

/** Runs a change of a repo's state: in doubt until it is acknowledged. */
async function toState(ledger, name, state, change) {
  ledger.doubtful.repos.set(name, state)
  await change()
  ledger.doubtful.repos.delete(name)
  ledger.repos.set(name, state)
}

const pathOf = (name) => `/repos/models/${owner}/${name}`

async function createRepo(program, ledger) {
  const name = `repo-${unique()}`
  await toState(ledger, name, 'made', () =>
    program.native('POST', '/repos', { type: 'model', ns: owner, name }),
  )
}

/** A repo that no writer is at work on. */
function takeMade(ledger) {
  const made = [...ledger.repos].filter(
    ([name, state]) => state === 'made' && !ledger.doubtful.repos.has(name),
  )
  return made.length > 0 ? pick(made)[0] : undefined
}

async function deleteRepo(program, ledger) {
  const name = takeMade(ledger)
  if (!name) return false
  await toState(ledger, name, 'deleted', () => program.native('DELETE', pathOf(name)))
}

async function renameRepo(program, ledger) {
  const name = takeMade(ledger)
  if (!name) return false
  const next = `repo-${unique()}`
  await toState(ledger, name, next, () => program.native('POST', `${pathOf(name)}/rename`, { name: next }))
}

const operations = [commitText, commitText, uploadLarge, uploadLarge, createRepo, deleteRepo, renameRepo]

/** Works until the server is gone. An error of a server that lives is an error of this test. */
async function write(program, ledger) {
  for (;;)
    try {
      const isDone = await pick(operations)(program, ledger)
      if (isDone !== false) ledger.acknowledged++
    } catch (error) {
      if (!(await program.isDying(error))) throw error
      return
    }
}

async function assertFile(program, { repo }, path, bytes, mayBeAbsent) {
  const got = await program.call('GET', `/${owner}/${repo.name}/resolve/main/${path}`)
  if (mayBeAbsent && got.status === 404) return false
  assert.equal(got.status, 200, `${path}: ${got.text}`)
  assert.ok(got.bytes.equals(bytes), `${path} has other bytes`)
  return true
}

async function stateOf(program, name) {
  const got = await program.call('GET', `/api/service/v1${pathOf(name)}`)
  if (got.status === 404) return 'absent'
  if (got.status === 307) return got.headers.get('Location').split('/').at(-1)
  assert.equal(got.status, 200, got.text)
  if (got.json.deleted_at) return 'deleted'
  assert.match(got.json.head_commit ?? '', /^[\da-f]{40}$/, `${name} has no commit`)
  return 'made'
}

/** Finds out what became of everything in doubt, and that it is there wholly or not at all. */
async function settleDoubts(program, ledger) {
  const { files, repos } = ledger.doubtful
  for (const [path, bytes] of files)
    if (await assertFile(program, ledger, path, bytes, true)) ledger.files.set(path, bytes)
  for (const [name, state] of repos) {
    const before = ledger.repos.get(name) ?? 'absent'
    const now = await stateOf(program, name)
    assert.ok(now === state || now === before, `${name} was ${before}, was to be ${state}, is ${now}`)
    if (now === 'absent') ledger.repos.delete(name)
    else ledger.repos.set(name, now)
  }
  files.clear()
  repos.clear()
}

/** Reads acknowledged things again: the newest, or all of them. */
async function audit(program, ledger, most = Infinity) {
  for (const [path, bytes] of [...ledger.files].slice(-most))
    await assertFile(program, ledger, path, bytes, false)
  for (const [name, state] of [...ledger.repos].slice(-most))
    assert.equal(await stateOf(program, name), state)
}

async function auditAll(program, ledger) {
  await audit(program, ledger)
  const { items } = await program.native('GET', `${ledger.repo.path}/commits?limit=1`)
  assert.equal(items.length, 1)
  assert.deepEqual(await program.tell({ fsck: {} }), [])
  await assertGitAgrees(program, ledger.repo)
}

/** Kills the server `rounds` times, or as often as `longestMs` allows. Answers how often, and what was acknowledged. */
export async function killAtRandom(program, rounds, longestMs) {
  const ledger = new Ledger(await givenRepo(program))
  const until = Date.now() + longestMs
  let done = 0
  for (; done < rounds && Date.now() < until; done++) {
    const busy = Array.from({ length: writers }, () => write(program, ledger))
    await Promise.race([pause(randomInt(20, longestBusyMs)), Promise.all(busy)])
    await program.kill()
    await Promise.all(busy)
    await program.serve()
    await settleDoubts(program, ledger)
    await audit(program, ledger, 20)
    if (done % betweenAudits === betweenAudits - 1) await auditAll(program, ledger)
  }
  await auditAll(program, ledger)
  return {
    rounds: done,
    acknowledged: ledger.acknowledged,
    files: ledger.files.size,
    repos: ledger.repos.size,
  }
}
