import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { commitsOf, fileBytes, givenRepo } from './asks.mjs'
import { owner } from './program.mjs'

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

/** A new repo with its first commit. */
export const create = {
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

/** A repo gets another name. */
export const rename = {
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

/** A repo is deleted, and can be restored. */
export const remove = {
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
