// What the scenarios ask of the server.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { owner } from './program.mjs'

export const sha256Of = (bytes) => createHash('sha256').update(bytes).digest('hex')
const lfsType = { 'Content-Type': 'application/vnd.git-lfs+json' }

export async function givenRepo(program, name = `repo-${randomBytes(5).toString('hex')}`) {
  const { id, head_commit } = await program.native('POST', '/repos', { type: 'model', ns: owner, name })
  return { id, name, path: `/repos/models/${owner}/${name}`, head: head_commit }
}

export const headOf = async (program, { path }) => (await program.native('GET', path)).head_commit

export async function commitsOf(program, { path }) {
  const { items } = await program.native('GET', `${path}/commits?limit=500`)
  return items.length
}

export async function batch(program, { name }, operation, objects) {
  const body = JSON.stringify({ operation, transfers: ['basic'], objects })
  const answer = await program.call('POST', `/${owner}/${name}.git/info/lfs/objects/batch`, {
    body,
    headers: lfsType,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.objects
}

export const oidOf = (bytes) => ({ oid: sha256Of(bytes), size: bytes.length })
/** A signed address carries its own right. */
export const bare = { Authorization: '' }

export async function putObject(program, repo, bytes) {
  const [{ actions }] = await batch(program, repo, 'upload', [oidOf(bytes)])
  if (!actions) return
  const put = await program.call('PUT', actions.upload.href, { body: bytes, headers: bare })
  assert.equal(put.status, 200, put.text)
}

/** The object's bytes through a download batch; `undefined` when it is not there. */
export async function objectBytes(program, repo, object) {
  const [{ actions, error }] = await batch(program, repo, 'download', [object])
  if (error) {
    assert.equal(error.code, 404)
    return undefined
  }
  const got = await program.call('GET', actions.download.href, { headers: bare })
  assert.equal(got.status, 200, got.text)
  return got.bytes
}

export async function fileBytes(program, { name }, path) {
  const got = await program.call('GET', `/${owner}/${name}/resolve/main/${path}`)
  if (got.status === 404) return undefined
  assert.equal(got.status, 200, got.text)
  return got.bytes
}
