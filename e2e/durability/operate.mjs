// The requests that are sent while system calls are recorded, and the state they must leave.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/** Requests with an access token; bodies are bytes, or become JSON. */
const callerOf =
  (server, token) =>
  async (method, path, body, more = {}) => {
    const isBytes = Buffer.isBuffer(body)
    const type = isBytes ? 'application/octet-stream' : 'application/json'
    const answer = await fetch(path.startsWith('http') ? path : `${server.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': type, ...more },
      ...(body === undefined
        ? {}
        : { body: isBytes ? /** @type {BodyInit} */ (body) : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${bytes}`)
    const isJson = answer.headers.get('content-type')?.includes('json')
    return {
      id: answer.headers.get('x-request-id'),
      bytes,
      json: isJson ? JSON.parse(bytes.toString()) : undefined,
    }
  }

const batchPath = ({ ns, name }) => `/${ns}/${name}.git/info/lfs/objects/batch`
const nativePath = ({ api }) => `/api/service/v1${api}`

function randomObject(length) {
  const bytes = randomBytes(length)
  return { bytes, oid: createHash('sha256').update(bytes).digest('hex'), size: length }
}

async function untilIdle(call) {
  for (const status of ['queued', 'running']) {
    const left = async () =>
      (await call('GET', `/api/service/v1/jobs?status=${status}&limit=1`)).json.items.length
    while ((await left()) > 0) await pause(20)
  }
}

/**
 * Does each operation once. Answers them in their order: `said` is in nothing but the operation's answer, `keys` counts the
 * objects it adds to the blob store, and `object` or `head` is what it leaves.
 */
export async function operate(server, { repo, work }) {
  const call = callerOf(server, repo.token)
  const native = nativePath(repo)
  const [first, second] = [randomObject(100_000), randomObject(50_000)]
  const objects = [{ oid: first.oid, size: first.size }]
  const batch = await call('POST', batchPath(repo), { operation: 'upload', transfers: ['basic'], objects })
  const { upload } = batch.json.objects[0].actions
  const put = await call('PUT', upload.href, first.bytes, { Authorization: '' })

  const added = [
    { op: 'add', path: 'text.txt', text: 'by the API\n' },
    { op: 'add', path: 'first.bin', lfs: { sha256: first.oid, size: first.size } },
  ]
  const commit = await call('POST', `${native}/commits`, { title: 'change', operations: added })
  // Jobs that the commit queued write rows of their own, between the bytes and the rows of what comes next.
  await untilIdle(call)

  const files = [{ path: 'second.bin', size: second.size, sha256: second.oid }]
  const plan = await call('POST', `${native}/uploads`, { files })
  const path = `${native}/uploads/${plan.json.files[0].upload.id}`
  const part = await call('PUT', `${path}/parts/1`, second.bytes)
  const parts = [{ n: 1, etag: part.json.etag }]
  const completion = await call('POST', `${path}/complete`, { parts })

  await work.git('pull', '-q')
  const pushed = await work.commit({ 'pushed.txt': 'by git\n' }, 'pushed')
  await work.git('push', '-q')
  return [
    { name: 'put', said: put.id, keys: 1, object: first },
    { name: 'commit', said: commit.id, keys: 2, head: commit.json.commit },
    { name: 'part', said: part.id, keys: 1 },
    { name: 'completion', said: completion.id, keys: 1, object: second },
    { name: 'push', said: 'application/x-git-receive-pack-result', keys: 2, head: pushed },
  ]
}

/** Fails unless the server has all that these operations left. */
export async function requireAll(server, repo, operations) {
  const call = callerOf(server, repo.token)
  const head = operations.findLast((operation) => operation.head)?.head
  if (head) assert.equal((await call('GET', nativePath(repo))).json.head_commit, head)
  for (const { object } of operations) {
    if (!object) continue
    const objects = [{ oid: object.oid, size: object.size }]
    const batch = await call('POST', batchPath(repo), {
      operation: 'download',
      transfers: ['basic'],
      objects,
    })
    const { download } = batch.json.objects[0].actions
    assert.ok((await call('GET', download.href, undefined, { Authorization: '' })).bytes.equals(object.bytes))
  }
}
