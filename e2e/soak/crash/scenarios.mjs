// What is asked of the server while it dies, and what must hold afterwards. Each scenario has
//   prepare(program)            makes what the request needs; answers the state that the others are given
//   act(program, state)         the request; notes in the state what was acknowledged
//   check(program, state)       after a restart: what was acknowledged is there, and nothing is there by half
//   retry(program, state)       the same request again: it succeeds
//   settle(program, state)      after the retry: it was done once
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { owner } from './program.mjs'

const sha256Of = (bytes) => createHash('sha256').update(bytes).digest('hex')
const lfsType = { 'Content-Type': 'application/vnd.git-lfs+json' }

export async function givenRepo(program, name = `repo-${randomBytes(5).toString('hex')}`) {
  const { id, head_commit } = await program.native('POST', '/repos', { type: 'model', ns: owner, name })
  return { id, name, path: `/repos/models/${owner}/${name}`, head: head_commit }
}

const headOf = async (program, { path }) => (await program.native('GET', path)).head_commit

async function commitsOf(program, { path }) {
  const { items } = await program.native('GET', `${path}/commits?limit=500`)
  return items.length
}

async function batch(program, { name }, operation, objects) {
  const body = JSON.stringify({ operation, transfers: ['basic'], objects })
  const answer = await program.call('POST', `/${owner}/${name}.git/info/lfs/objects/batch`, {
    body,
    headers: lfsType,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.objects
}

const oidOf = (bytes) => ({ oid: sha256Of(bytes), size: bytes.length })
/** A signed address carries its own right. */
const bare = { Authorization: '' }

async function putObject(program, repo, bytes) {
  const [{ actions }] = await batch(program, repo, 'upload', [oidOf(bytes)])
  if (!actions) return
  const put = await program.call('PUT', actions.upload.href, { body: bytes, headers: bare })
  assert.equal(put.status, 200, put.text)
}

/** The object's bytes through a download batch; `undefined` when it is not there. */
async function objectBytes(program, repo, object) {
  const [{ actions, error }] = await batch(program, repo, 'download', [object])
  if (error) {
    assert.equal(error.code, 404)
    return undefined
  }
  const got = await program.call('GET', actions.download.href, { headers: bare })
  assert.equal(got.status, 200, got.text)
  return got.bytes
}

async function fileBytes(program, { name }, path) {
  const got = await program.call('GET', `/${owner}/${name}/resolve/main/${path}`)
  if (got.status === 404) return undefined
  assert.equal(got.status, 200, got.text)
  return got.bytes
}

/** A hub commit of a regular file and a large one onto the known head. */
const commit = {
  async prepare(program, shared) {
    shared.repo ??= await givenRepo(program)
    const { repo } = shared
    const n = randomBytes(4).toString('hex')
    const large = randomBytes(5000)
    await putObject(program, repo, large)
    const head = await headOf(program, repo)
    const files = { [`text-${n}.txt`]: Buffer.from(`text of ${n}\n`), [`large-${n}.bin`]: large }
    const [text, pointed] = Object.keys(files)
    const lines = [
      { key: 'header', value: { summary: `change ${n}`, parentCommit: head } },
      { key: 'file', value: { path: text, content: files[text].toString('base64'), encoding: 'base64' } },
      { key: 'lfsFile', value: { path: pointed, algo: 'sha256', ...oidOf(large) } },
    ]
    const body = lines.map((line) => JSON.stringify(line)).join('\n')
    return { repo, files, head, body, count: await commitsOf(program, repo) }
  },
  async act(program, state) {
    const { repo, body } = state
    const headers = { 'Content-Type': 'application/x-ndjson' }
    const answer = await program.call('POST', `/api/models/${owner}/${repo.name}/commit/main`, {
      body,
      headers,
    })
    assert.equal(answer.status, 200, answer.text)
    state.acknowledged = answer.json.commitOid
  },
  async check(program, { repo, files, head, acknowledged }) {
    const now = await headOf(program, repo)
    if (acknowledged) assert.equal(now, acknowledged)
    for (const [path, bytes] of Object.entries(files))
      assert.deepEqual(await fileBytes(program, repo, path), now === head ? undefined : bytes, path)
  },
  async retry(program, state) {
    await this.act(program, state)
  },
  async settle(program, { repo, files, acknowledged, count }) {
    assert.equal(await headOf(program, repo), acknowledged)
    assert.equal(await commitsOf(program, repo), count + 1)
    for (const [path, bytes] of Object.entries(files))
      assert.deepEqual(await fileBytes(program, repo, path), bytes, path)
  },
}

/** A large file sent in one piece to its signed address. */
const lfsPut = {
  async prepare(program, shared) {
    shared.repo ??= await givenRepo(program)
    const bytes = randomBytes(300_000)
    const [{ actions }] = await batch(program, shared.repo, 'upload', [oidOf(bytes)])
    return { repo: shared.repo, bytes, href: actions.upload.href }
  },
  async act(program, state) {
    const answer = await program.call('PUT', state.href, { body: state.bytes, headers: bare })
    assert.equal(answer.status, 200, answer.text)
    state.acknowledged = true
  },
  async check(program, { repo, bytes, acknowledged }) {
    const stored = await objectBytes(program, repo, oidOf(bytes))
    if (acknowledged || stored) assert.deepEqual(stored, bytes)
  },
  async retry(program, state) {
    await this.act(program, state)
  },
  async settle(program, { repo, bytes }) {
    assert.deepEqual(await objectBytes(program, repo, oidOf(bytes)), bytes)
    const [{ actions }] = await batch(program, repo, 'upload', [oidOf(bytes)])
    assert.equal(actions, undefined)
  },
}

const uploadPath = ({ repo, upload }) => `${repo.path}/uploads/${upload.id}`

async function putPart(program, state, n) {
  const { upload, bytes } = state
  const body = bytes.subarray((n - 1) * upload.part_size, n * upload.part_size)
  const headers = { 'Content-Type': 'application/octet-stream' }
  const path = `/api/service/v1${uploadPath(state)}/parts/${n}`
  const answer = await program.call('PUT', path, { body, headers })
  assert.equal(answer.status, 200, answer.text)
  state.parts.set(n, answer.json.etag)
}

const partList = ({ parts }) => [...parts].map(([n, etag]) => ({ n, etag }))

/** A large file in parts: planned, sent, completed. */
const multipart = {
  async prepare(program, shared) {
    shared.repo ??= await givenRepo(program)
    const { repo } = shared
    const bytes = randomBytes(17 * 1024 * 1024)
    const files = [{ path: 'large.bin', size: bytes.length, sha256: sha256Of(bytes) }]
    const plan = await program.native('POST', `${repo.path}/uploads`, { files })
    const [{ upload }] = plan.files
    assert.ok(upload.parts.length > 1)
    return { repo, bytes, upload, parts: new Map() }
  },
  async act(program, state) {
    for (const { n } of state.upload.parts) if (!state.parts.has(n)) await putPart(program, state, n)
    const done = await program.native('POST', `${uploadPath(state)}/complete`, { parts: partList(state) })
    assert.equal(done.status, 'complete')
    state.acknowledged = true
  },
  async check(program, state) {
    const status = await program.native('GET', uploadPath(state))
    const stored = new Map(status.parts.map(({ n, etag }) => [n, etag]))
    if (status.status !== 'complete') for (const [n, etag] of state.parts) assert.equal(stored.get(n), etag)
    if (state.acknowledged) assert.equal(status.status, 'complete')
    const bytes = await objectBytes(program, state.repo, oidOf(state.bytes))
    assert.deepEqual(bytes, status.status === 'complete' ? state.bytes : undefined)
  },
  async retry(program, state) {
    await this.act(program, state)
  },
  async settle(program, state) {
    const again = await program.native('POST', `${uploadPath(state)}/complete`, { parts: partList(state) })
    assert.equal(again.status, 'complete')
    assert.deepEqual(await objectBytes(program, state.repo, oidOf(state.bytes)), state.bytes)
  },
}

/** Status of a native call that may be refused. */
async function statusOf(program, method, path, body) {
  return (await program.call(method, `/api/service/v1${path}`, { body })).status
}

async function assertWhole(program, repo) {
  const shown = await program.native('GET', repo.path)
  assert.match(shown.head_commit, /^[\da-f]{40}$/)
  assert.ok(await fileBytes(program, repo, 'README.md'))
  return shown
}

/** A new Repo with its first commit. */
const create = {
  async prepare() {
    const name = `repo-${randomBytes(5).toString('hex')}`
    return { repo: { name, path: `/repos/models/${owner}/${name}` } }
  },
  async act(program, state) {
    await program.native('POST', '/repos', { type: 'model', ns: owner, name: state.repo.name })
    state.acknowledged = true
  },
  async check(program, { repo, acknowledged }) {
    const status = await statusOf(program, 'GET', repo.path)
    if (acknowledged || status !== 404) await assertWhole(program, repo)
  },
  async retry(program, state) {
    const there = (await statusOf(program, 'GET', state.repo.path)) === 200
    const status = await statusOf(program, 'POST', '/repos', {
      type: 'model',
      ns: owner,
      name: state.repo.name,
    })
    assert.equal(status, there ? 409 : 201)
  },
  async settle(program, { repo }) {
    repo.id = (await assertWhole(program, repo)).id
    assert.equal(await commitsOf(program, repo), 1)
    const { total } = await program.native('GET', `/repos?q=${repo.name}`)
    assert.equal(total, 1)
  },
}

/** A Repo gets another name. */
const rename = {
  async prepare(program) {
    const repo = await givenRepo(program)
    const to = { ...repo, name: `${repo.name}-new`, path: `${repo.path}-new` }
    return { repo, to }
  },
  async act(program, state) {
    await program.native('POST', `${state.repo.path}/rename`, { name: state.to.name })
    state.acknowledged = true
  },
  async check(program, { repo, to, acknowledged }) {
    const old = await statusOf(program, 'GET', repo.path)
    const present = await statusOf(program, 'GET', to.path)
    assert.deepEqual([old, present], acknowledged || present === 200 ? [307, 200] : [200, 404])
    await assertWhole(program, present === 200 ? to : repo)
  },
  async retry(program, { repo, to }) {
    const isDone = (await statusOf(program, 'GET', to.path)) === 200
    const status = await statusOf(program, 'POST', `${repo.path}/rename`, { name: to.name })
    assert.equal(status, isDone ? 307 : 200)
  },
  async settle(program, { repo, to }) {
    assert.equal(await statusOf(program, 'GET', repo.path), 307)
    assert.equal((await assertWhole(program, to)).id, repo.id)
  },
}

/** A Repo is deleted, and can be restored. */
const remove = {
  async prepare(program) {
    return { repo: await givenRepo(program) }
  },
  async act(program, state) {
    await program.native('DELETE', state.repo.path)
    state.acknowledged = true
  },
  async check(program, { repo, acknowledged }) {
    const { deleted_at } = await program.native('GET', repo.path)
    if (acknowledged) assert.ok(deleted_at)
    if (!deleted_at) await assertWhole(program, repo)
    else assert.equal(await fileBytes(program, repo, 'README.md'), undefined)
  },
  async retry(program, { repo }) {
    const { deleted_at } = await program.native('GET', repo.path)
    assert.equal(await statusOf(program, 'DELETE', repo.path), deleted_at ? 404 : 204)
  },
  async settle(program, { repo }) {
    assert.ok((await program.native('GET', repo.path)).deleted_at)
    await program.native('POST', `${repo.path}/restore`)
    await assertWhole(program, repo)
  },
}

/** Every scenario, by the name of what is asked. */
export const scenarios = {
  'hub commit': commit,
  'LFS upload': lfsPut,
  'upload in parts': multipart,
  'create Repo': create,
  'rename Repo': rename,
  'delete Repo': remove,
}
