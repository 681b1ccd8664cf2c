// An upstream whose id has `-` and `_`, from a configuration file: named in a token, a pull and an answer.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startServer } from '../fixtures/server.mjs'
import { download, ended, givenModel, givenOwner } from './upstream.mjs'

const id = 'near-by_hub-2'
const MiB = 2 ** 20

let dir
let upstream
let server
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-upstream-id-'))
  upstream = await startServer()
  const file = join(dir, 'service.yaml')
  await writeFile(
    file,
    `upstreams:\n  huggingface:\n    enabled: false\n  ${id}:\n    base_url: ${upstream.url}\n`,
  )
  server = await startServer({}, { env: { SERVICE_CONFIG: file } })
})
after(async () => {
  await server?.stop()
  await upstream?.stop()
  if (dir) await rm(dir, { recursive: true, force: true })
})

test('a repo is pulled from an upstream whose id has a hyphen and an underscore', async () => {
  const owner = await givenOwner(upstream)
  const { repo, commit, files } = await givenModel(owner, 'named', { 'model.bin': 2 * MiB })
  const person = await server.newPerson('puller')
  const { items } = await person.native('GET', '/upstreams')
  assert.deepEqual(
    items.map((each) => each.id),
    [id],
  )
  await person.native('PUT', `/me/upstream-tokens/${id}`, { token: owner.secret })
  const { id: job } = await person.native('POST', '/pulls', { upstream: id, type: 'model', repo })
  const done = await ended(person, job)
  assert.equal(done.status, 'succeeded', JSON.stringify(done))
  const headers = { Authorization: `Bearer ${await person.token()}` }
  const got = await download(server.url, repo, commit, 'model.bin', headers)
  assert.equal(got.status, 200)
  assert.ok(got.bytes.equals(files['model.bin']))
  assert.match(JSON.stringify(await person.native('GET', `/repos/models/${repo}`)), new RegExp(`"${id}"`))
})
