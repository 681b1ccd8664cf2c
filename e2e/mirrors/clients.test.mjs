// Clients that know nothing of mirrors load repos that are at an upstream: cold, warm, and without the upstream.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { after, before, test } from 'node:test'
import { ensureNodeClients } from '../../api/dev/toolchain/node-clients.mjs'
import { ensurePython } from '../../api/dev/toolchain/python.mjs'
import { bodiesOf } from './between.mjs'
import { loadWith } from './loader.mjs'
import { ended, givenModel, startApart } from './upstream.mjs'

const run = promisify(execFile)
const MiB = 2 ** 20
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

let pythons
let site
let upstream
let between
let server
let owner
let dir
before(async () => {
  pythons = await ensurePython()
  dir = await mkdtemp(join(tmpdir(), 'arsenal-clients-'))
  site = await startApart({ 'pull.pull_through.enabled': 'true' })
  ;({ upstream, between, server, owner } = site)
})
after(async () => {
  await site?.stop()
  if (dir) await rm(dir, { recursive: true, force: true })
})

/** @typedef {{ url: string, token?: string, repo: string, revision?: string, cache: string }} Where */

const load = (python, /** @type {Where} */ { url, token, repo, revision = 'main', cache }) =>
  loadWith(python, ['load.py', repo, revision, cache], { url, home: join(dir, 'home'), token })

for (const name of ['a', 'c', 'e'])
  test(`Python environment ${name} loads a repo cold, warm and without the upstream`, async () => {
    const person = await server.newPerson('reader')
    const token = await person.token()
    const { repo, commit, files } = await givenModel(owner, `py-${name}`, { 'model.bin': 20 * MiB })
    const loaded = (folder) =>
      load(pythons[name], { url: server.url, token, repo, cache: join(dir, name, folder) })
    const expected = { sha: commit, model: sha256(files['model.bin']) }
    const cold = await loaded('cold')
    assert.equal(cold.sha, expected.sha)
    assert.equal(cold.model, expected.model)
    assert.match(cold.folder, new RegExp(commit))
    assert.deepEqual((await readdir(cold.folder)).toSorted(), [
      '.gitattributes',
      'README.md',
      'config.json',
      'model.bin',
    ])
    if (name === 'a') assert.equal(cold.model_type, 'bert')
    assert.equal(bodiesOf(between, 'model.bin').filter(({ url }) => url.includes(repo)).length, 1)
    const asked = between.asked.length
    assert.deepEqual({ ...(await loaded('warm')), folder: '' }, { ...cold, folder: '' })
    assert.equal(between.asked.length, asked, 'a warm load asks the upstream nothing')
    between.isDown = true
    try {
      assert.equal((await loaded('offline')).model, expected.model)
    } finally {
      between.isDown = false
    }
  })

test('a cache filled from the upstream is reused, and vice versa', async () => {
  const person = await server.newPerson('reader')
  const token = await person.token()
  const { repo, commit } = await givenModel(owner, 'caches', { 'model.bin': 4 * MiB })
  const there = { url: upstream.url, repo, revision: commit }
  const here = { url: server.url, token, repo, revision: commit }
  const bytesOf = () => bodiesOf(between, 'model.bin').filter(({ url }) => url.includes(repo)).length
  await load(pythons.e, { ...there, cache: join(dir, 'from-there') })
  await load(pythons.e, { ...here, cache: join(dir, 'from-there') })
  assert.equal(bytesOf(), 0, 'what the cache has is not loaded through us')
  await load(pythons.e, { ...here, cache: join(dir, 'from-here') })
  assert.equal(bytesOf(), 1)
  const before = upstream.log().length
  const again = await load(pythons.e, { ...there, cache: join(dir, 'from-here') })
  assert.equal(again.sha, commit)
  assert.ok(upstream.log().length >= before)
})

test('the JavaScript client lists and downloads a cold repo', async () => {
  const hub = await import(Object.values(await ensureNodeClients()).at(-1))
  const person = await server.newPerson('reader')
  const on = { hubUrl: server.url, accessToken: await person.token() }
  const { repo, commit, files } = await givenModel(owner, 'js', { 'model.bin': 9 * MiB })
  const info = await hub.modelInfo({ ...on, name: repo, additionalFields: ['sha'] })
  assert.equal(info.sha, commit)
  const listed = []
  for await (const file of hub.listFiles({ ...on, repo, recursive: true })) listed.push(file.path)
  assert.ok(listed.includes('model.bin'))
  const blob = await hub.downloadFile({ ...on, repo, path: 'model.bin', revision: commit })
  assert.equal(sha256(Buffer.from(await blob.arrayBuffer())), sha256(files['model.bin']))
})

test('git clones a cold repo, with its large files', async () => {
  const person = await server.newPerson('reader')
  const token = await person.token()
  const { repo, commit, files } = await givenModel(owner, 'git', { 'model.bin': 6 * MiB })
  const address = `${server.url}/${repo}`.replace('://', `://reader:${token}@`)
  const at = join(dir, 'clone')
  await run('git', ['clone', '-q', address, at], { env: { ...process.env, GIT_LFS_SKIP_SMUDGE: '1' } })
  const { stdout } = await run('git', ['-C', at, 'rev-parse', 'HEAD'])
  assert.equal(stdout.trim(), commit)
  const batch = await fetch(`${server.url}/${repo}.git/info/lfs/objects/batch`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/vnd.git-lfs+json',
      Accept: 'application/vnd.git-lfs+json',
    },
    body: JSON.stringify({
      operation: 'download',
      objects: [{ oid: sha256(files['model.bin']), size: files['model.bin'].length }],
    }),
  })
  const [object] = (await batch.json()).objects
  const got = await fetch(object.actions.download.href)
  assert.ok(Buffer.from(await got.arrayBuffer()).equals(files['model.bin']))
})

test('tokens go only to their own server, and a private repo is visible only to its reader', async () => {
  const person = await server.newPerson('reader')
  const token = await person.token()
  const { repo, files } = await givenModel(owner, 'canary', { 'model.bin': 2 * MiB })
  await owner.native('PATCH', `/repos/models/${repo}`, { visibility: 'private' })
  const read = (secret) =>
    fetch(`${server.url}/${repo}/resolve/main/model.bin`, { headers: { Authorization: `Bearer ${secret}` } })
  assert.equal((await read(token)).status, 404)
  await person.native('PUT', '/me/upstream-tokens/near', { token: owner.secret })
  const got = await read(token)
  assert.equal(got.status, 200)
  assert.ok(Buffer.from(await got.arrayBuffer()).equals(files['model.bin']))
  const other = await server.newPerson('other')
  assert.equal((await read(await other.token())).status, 404)
  assert.ok(between.asked.every(({ credentials }) => !credentials?.includes(token)))
  const { id } = await person.native('POST', '/pulls', { upstream: 'near', type: 'model', repo })
  assert.equal((await ended(person, id)).status, 'succeeded')
  const admin = await server.login()
  const places = {
    log: server.log(),
    'log of the upstream': upstream.log(),
    jobs: JSON.stringify(await admin.native('GET', '/jobs')),
    job: JSON.stringify(await person.native('GET', `/pulls/${id}`)),
    'saved token': JSON.stringify(await person.native('GET', '/me/upstream-tokens/near')),
    upstreams: JSON.stringify(await admin.native('GET', '/admin/upstreams')),
    audit: JSON.stringify(await admin.native('GET', '/admin/audit?limit=500')),
    mirror: JSON.stringify(await person.native('GET', `/repos/models/${person.username}/canary/mirror`)),
    provenance: JSON.stringify(
      await person.native('GET', `/repos/models/${person.username}/canary/provenance`),
    ),
    overview: JSON.stringify(await admin.native('GET', '/admin/overview')),
    database: await readFile(join(server.dir, 'service.db'), 'latin1'),
    'log of the database': await readFile(join(server.dir, 'service.db-wal'), 'latin1'),
  }
  for (const [place, text] of Object.entries(places))
    for (const [whose, secret] of Object.entries({ reader: token, upstream: owner.secret }))
      assert.ok(!text.includes(secret), `${place} of the server has the token of the ${whose}`)
})
