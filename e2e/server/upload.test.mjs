// Large bodies are read from the socket itself (api/platform/direct-io/request-slabs.ts), by means of Node that it does not document.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { startServer } from '../fixtures/server.mjs'

let server
before(async () => (server = await startServer()))
after(() => server?.stop())

test('a large body goes past Node, and its bytes come back', async () => {
  const person = await server.login()
  const token = await person.token()
  await person.native('POST', '/repos', { type: 'model', ns: person.username, name: 'large' })
  const bytes = randomBytes(40 * 1024 * 1024)
  const object = { oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
  const actions = async (operation) => {
    const answer = await fetch(`${server.url}/${person.username}/large.git/info/lfs/objects/batch`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/vnd.git-lfs+json' },
      body: JSON.stringify({ operation, transfers: ['basic'], objects: [object] }),
    })
    assert.equal(answer.status, 200)
    return (await answer.json()).objects[0].actions
  }

  const { upload } = await actions('upload')
  const put = request(upload.href, { method: 'PUT', headers: { 'Content-Length': bytes.length } })
  put.end(bytes)
  const [answer] = await once(put, 'response')
  await answer.resume().toArray()
  assert.equal(answer.statusCode, 200)
  // Only a socket that the slabs took over ends with its answer.
  assert.equal(answer.headers.connection, 'close')

  const operations = [{ op: 'add', path: 'model.bin', lfs: { sha256: object.oid, size: object.size } }]
  await person.native('POST', `/repos/models/${person.username}/large/commits`, { title: 'add', operations })
  const { download } = await actions('download')
  const got = Buffer.from(await (await fetch(download.href)).arrayBuffer())
  assert.ok(got.equals(bytes))
})
