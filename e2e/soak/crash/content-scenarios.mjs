import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  bare,
  batch,
  commitsOf,
  fileBytes,
  givenRepo,
  headOf,
  objectBytes,
  oidOf,
  putObject,
  sha256Of,
} from './asks.mjs'
import { owner } from './program.mjs'

/** A hub commit of a regular file and a large one onto the known head. */
export const commit = {
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
export const lfsPut = {
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

/** Completes; a completion that died with the server is taken over when its lease has lapsed. */
async function complete(program, state) {
  for (;;) {
    const path = `/api/service/v1${uploadPath(state)}/complete`
    const answer = await program.call('POST', path, { body: { parts: partList(state) } })
    if (answer.status === 503) await pause(1000 * Number(answer.headers.get('Retry-After')))
    else {
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.json.status, 'complete')
      return
    }
  }
}

/** A large file in parts: planned, sent, completed. */
export const multipart = {
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
    await complete(program, state)
    state.acknowledged = true
  },
  async check(program, state) {
    const status = await program.native('GET', uploadPath(state))
    const stored = new Map(status.parts.map(({ n, etag }) => [n, etag]))
    // What is joined needs no tags any more.
    if (status.status === 'open')
      for (const [n, etag] of state.parts) assert.ok([etag, ''].includes(stored.get(n)), `part ${n}`)
    if (state.acknowledged) assert.equal(status.status, 'complete')
    const bytes = await objectBytes(program, state.repo, oidOf(state.bytes))
    // What a job proves it may have proved since.
    if (bytes || status.status === 'complete') assert.deepEqual(bytes, state.bytes)
  },
  async retry(program, state) {
    await this.act(program, state)
  },
  async settle(program, state) {
    await complete(program, state)
    assert.deepEqual(await objectBytes(program, state.repo, oidOf(state.bytes)), state.bytes)
  },
}
