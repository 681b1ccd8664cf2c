// Clients that know nothing of mirrors read what the public hub has: cold, warm, and when that hub is gone. What they are
// sent has nothing of the hub but its files, and the hub and its CDN get nothing of theirs.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { promisify } from 'node:util'
import { ensureNodeClients } from '../../api/dev/toolchain/node-clients.mjs'
import { ensurePython } from '../../api/dev/toolchain/python.mjs'
import { openBench } from '../git/workbench.mjs'
import { startServer } from '../fixtures/server.mjs'
import { loadWith } from './loader.mjs'
import { model } from '../ollama/model.mjs'
import { PublicHub, reachingCdn } from './public-hub.mjs'
import { download, pullingThrough } from './upstream.mjs'
import { startWatch } from './watch.mjs'

const run = promisify(execFile)
const MiB = 2 ** 20
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** @type {PublicHub} */
let hub
/** @type {PublicHub} Asked after the other. */
let plain
let watch
let server
let dir
let bench
let pythons
let token
before(async () => {
  ;[hub, plain, watch, pythons, bench] = await Promise.all([
    PublicHub.start(),
    PublicHub.start({ hasGit: false }),
    startWatch(),
    ensurePython(),
    openBench(),
  ])
  dir = await mkdtemp(join(tmpdir(), 'arsenal-public-hub-'))
  server = await startServer({
    'upstreams.huggingface.enabled': 'false',
    'upstreams.one.base_url': hub.url,
    'upstreams.two.base_url': plain.url,
    'server.public_url': watch.url,
    ...reachingCdn,
    ...pullingThrough,
  })
  watch.upstream = server.url
  token = await (await server.newPerson('reader')).token()
  await bench.git(['lfs', 'install', '--skip-repo'])
})
after(async () => {
  await server?.stop()
  await Promise.all([hub?.stop(), plain?.stop(), watch?.stop(), bench?.close()])
  if (dir) await rm(dir, { recursive: true, force: true })
})
afterEach(() => {
  const all = [hub, plain]
  for (const each of all) each.mood = undefined
  assert.deepEqual(
    all.flatMap(({ faults }) => faults.splice(0)),
    [],
    'what the hub and its CDN were sent',
  )
  const sentThere = JSON.stringify(all.map(({ asked }) => asked))
  assert.ok(!sentThere.includes(token), 'a token of this server went to the hub')
  const ofHub = all.flatMap((each) => [new URL(each.url).host, each.cdn.host, each.token, each.outsiderToken])
  watch.requireNothingOf([...ofHub, 'e37e37', 'xet-auth', 'xethub', 'K2TESTHUB'])
})

/** Does it while no hub can be reached. */
async function offline(work) {
  for (const each of [hub, plain]) each.mood = 'gone'
  try {
    return await work()
  } finally {
    for (const each of [hub, plain]) each.mood = undefined
  }
}

/** A model at a hub; answers its repo, commit and the bytes of its large file. */
async function given(name, { at = hub, bytes = randomBytes(3 * MiB), path = 'weights/model.bin' } = {}) {
  const files = {
    '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
    'README.md': '---\nlicense: mit\n---\n# Model\n',
    'config.json': '{"model_type":"bert"}',
    'weights/notes.txt': 'no newline at the end',
    'weights/deep/more.txt': 'more\n',
  }
  // A namespace of mirrors has those of one upstream.
  const repo = `${at === hub ? 'acme' : 'other'}/${name}`
  return { repo, files, path, bytes, commit: await at.commit(repo, files, { [path]: bytes }) }
}

const load = (python, program, folder, more = {}) =>
  loadWith(python, program, { url: watch.url, home: join(dir, `home-${folder}`), token, ...more })

const read = (path, headers = {}) =>
  fetch(`${watch.url}/${path}`, { headers: { Authorization: `Bearer ${token}`, ...headers } })

for (const [kind, hubOf] of Object.entries({ 'with git': () => hub, 'without git': () => plain }))
  test(`huggingface_hub reads a model of a hub ${kind}: cold, warm, gone and from its own cache`, async () => {
    const at = hubOf()
    const { repo, files, bytes, commit, path } = await given(`hub-${kind.replace(' ', '-')}`, { at })
    const everything = (python, cache, more) =>
      load(python, ['everything.py', repo, join(dir, cache)], cache, more)
    const cold = await everything(pythons.e, `${kind}-cold`)
    const blobs = (await at.git(repo, 'ls-tree', '-r', commit)).split('\n').map((line) => line.split(/[ \t]/))
    const whole = sha256(bytes)
    assert.deepEqual(cold, {
      sha: commit,
      commit,
      lfs: { [path]: whole },
      paths: whole,
      one: whole,
      range: bytes.subarray(MiB, MiB + 100).toString('hex'),
      ls: ['weights/deep', 'weights/model.bin', 'weights/notes.txt'],
      tree: {
        ...Object.fromEntries(blobs.map(([, , oid, name]) => [name, oid])),
        weights: null,
        'weights/deep': null,
      },
      files: Object.fromEntries(
        Object.entries({ ...files, [path]: bytes }).map(([name, each]) => [name, sha256(each)]),
      ),
    })
    const asked = at.asked.length
    assert.deepEqual(await everything(pythons.b, `${kind}-warm`), cold, 'the newest 1.x, warm')
    assert.equal(at.asked.length, asked, 'a warm load asks the hub nothing')
    const bodies = at.cdn.requestsFor(whole).filter(({ bytes: sent }) => sent > MiB)
    assert.equal(bodies.length, 1, 'one transfer of the large file')
    await offline(async () => {
      assert.deepEqual(await everything(pythons.e, `${kind}-gone`), cold, 'the hub is gone')
    })
    const { one, files: kept } = await load(
      pythons.e,
      ['everything.py', repo, join(dir, `${kind}-cold`)],
      'none',
      {
        url: 'http://127.0.0.1:9',
        env: { HF_HUB_OFFLINE: '1' },
      },
    )
    assert.deepEqual([one, kept], [whole, cold.files], 'neither is there, and the cache is')
  })

test('a cache filled from the hub is reused here, and vice versa', async () => {
  const { repo, commit, bytes } = await given('caches', { path: 'model.bin' })
  const fill = (url, cache, own) =>
    load(pythons.e, ['load.py', repo, commit, join(dir, cache)], cache, {
      url,
      token: own,
      // The hub only says that it keeps chunks.
      env: { HF_HUB_DISABLE_XET: '1' },
    })
  const sent = () => hub.cdn.bytesOf(sha256(bytes))
  const there = await fill(hub.url, 'from-there', hub.token)
  assert.equal(sent(), bytes.length)
  const before = watch.bytes
  assert.deepEqual(await fill(watch.url, 'from-there', token), there)
  assert.equal(sent(), bytes.length, 'this server asked for what the cache has')
  assert.ok(watch.bytes - before < bytes.length, 'the client loaded what its cache has')
  await fill(watch.url, 'from-here', token)
  assert.equal(sent(), 2 * bytes.length)
  const again = await fill(hub.url, 'from-here', hub.token)
  assert.deepEqual([again.sha, again.model], [commit, sha256(bytes)])
  assert.equal(sent(), 2 * bytes.length, 'the hub was asked for what the cache has')
})

test('transformers loads a cold model, and again when the hub is gone', async () => {
  const { repo, commit, bytes } = await given('transformers', { path: 'model.bin' })
  const loaded = (folder) => load(pythons.a, ['load.py', repo, 'main', join(dir, folder)], folder)
  const cold = await loaded('transformers-cold')
  assert.deepEqual([cold.sha, cold.model, cold.model_type], [commit, sha256(bytes), 'bert'])
  const gone = await offline(() => loaded('transformers-gone'))
  assert.deepEqual({ ...gone, folder: '' }, { ...cold, folder: '' })
})

test('datasets loads a cold dataset, and again when the hub is gone', async () => {
  const repo = 'acme/rows'
  const card = '---\nconfigs:\n  - config_name: en\n    data_files: en/*.jsonl\n---\n'
  const rows = Buffer.from(['one', 'two'].map((line) => `${JSON.stringify({ text: line })}\n`).join(''))
  await hub.commit(`datasets/${repo}`, { 'README.md': card }, { 'en/train.jsonl': rows })
  const loaded = (folder) => load(pythons.b, ['rows.py', repo, 'en'], folder)
  const expected = { train: ['one', 'two'] }
  assert.deepEqual(await loaded('rows-cold'), expected)
  assert.deepEqual(await offline(() => loaded('rows-gone')), expected)
  assert.equal(hub.cdn.bytesOf(sha256(rows)), rows.length)
})

test('the JavaScript client lists and downloads a cold model, and again when the hub is gone', async () => {
  const client = await import(Object.values(await ensureNodeClients()).at(-1))
  const { repo, commit, bytes, path } = await given('js')
  const on = { hubUrl: watch.url, accessToken: token }
  const loaded = async () => {
    const { sha } = await client.modelInfo({ ...on, name: repo, additionalFields: ['sha'] })
    const listed = []
    for await (const file of client.listFiles({ ...on, repo, recursive: true }))
      listed.push([file.path, file.lfs?.oid])
    const blob = await client.downloadFile({ ...on, repo, path })
    const part = Buffer.from(await blob.slice(MiB, MiB + 10).arrayBuffer())
    return { sha, listed: listed.toSorted(), hash: sha256(Buffer.from(await blob.arrayBuffer())), part }
  }
  const cold = await loaded()
  assert.equal(cold.sha, commit)
  assert.equal(cold.hash, sha256(bytes))
  assert.ok(cold.part.equals(bytes.subarray(MiB, MiB + 10)))
  assert.deepEqual(Object.fromEntries(cold.listed)[path], sha256(bytes))
  assert.deepEqual(await offline(loaded), cold)
})

test('git and git-lfs clone a cold model with its large file, and again when the hub is gone', async () => {
  const { repo, commit, bytes, path } = await given('cloned')
  const address = `${watch.url}/${repo}`.replace('://', `://reader:${token}@`)
  const cloned = async () => {
    const clone = await bench.clone(address)
    assert.equal(await clone.head(), commit)
    assert.ok((await readFile(join(clone.folder, path))).equals(bytes))
    await clone.fsck()
  }
  await cloned()
  await offline(cloned)
  assert.equal(hub.cdn.bytesOf(sha256(bytes)), bytes.length)
})

test('a registry of models has a cold GGUF file by its digest, in ranges, and again when the hub is gone', async () => {
  const { repo, bytes } = await given('gguf', { bytes: model(4), path: 'tiny-F32.gguf' })
  const pulled = async () => {
    const manifest = await read(`v2/${repo}/manifests/F32`)
    assert.equal(manifest.status, 200, await manifest.clone().text())
    const { layers } = await manifest.json()
    const { digest } = layers.find(({ mediaType }) => mediaType.endsWith('.model'))
    assert.equal(digest, `sha256:${sha256(bytes)}`)
    const half = Math.floor(bytes.length / 2)
    const parts = [`0-${half - 1}`, `${half}-${bytes.length - 1}`].map(async (range) => {
      const got = await read(`v2/${repo}/blobs/${digest}`, { Range: `bytes=${range}` })
      assert.equal(got.status, 206)
      return Buffer.from(await got.arrayBuffer())
    })
    assert.ok(Buffer.concat(await Promise.all(parts)).equals(bytes))
  }
  await pulled()
  await offline(pulled)
})

test('curl resumes and reads ranges of a cold file', async () => {
  const { repo, commit, bytes, path } = await given('curl', { bytes: randomBytes(8 * MiB) })
  const url = `${watch.url}/${repo}/resolve/main/${path}`
  const file = join(dir, 'curl.bin')
  const curl = (...args) => run('curl', ['-sSfL', '-H', `Authorization: Bearer ${token}`, ...args, url])
  await curl('-r', '3000000-3000099', '-o', file)
  assert.ok((await readFile(file)).equals(bytes.subarray(3_000_000, 3_000_100)))
  await curl('-r', `0-${5 * MiB - 1}`, '-o', file)
  await curl('-C', '-', '-o', file)
  assert.ok((await readFile(file)).equals(bytes))
  const { stdout } = await curl('-I')
  assert.match(stdout, new RegExp(`^x-repo-commit: ${commit}\\r$`, 'im'))
  assert.match(stdout, new RegExp(`^etag: "${sha256(bytes)}"\\r$`, 'im'))
})

test('aria2 takes a cold file in parts, from one transfer', async () => {
  const { repo, bytes, path } = await given('aria2', { bytes: randomBytes(12 * MiB) })
  const auth = `--header=Authorization: Bearer ${token}`
  const flags = ['-q', '-x4', '-s4', '-k1M', auth, '-d', dir, '-o', 'aria2.bin']
  await run('aria2c', [...flags, `${watch.url}/${repo}/resolve/main/${path}`])
  assert.ok((await readFile(join(dir, 'aria2.bin'))).equals(bytes))
  assert.ok(hub.cdn.bytesOf(sha256(bytes)) < 2 * bytes.length)
})

test('a renamed repo is here under both of its names', async () => {
  const { repo, commit, bytes, path } = await given('after')
  hub.renamed.set('acme/before', repo)
  try {
    const got = await download(watch.url, 'acme/before', 'main', path, { Authorization: `Bearer ${token}` })
    assert.equal(got.status, 200)
    assert.ok(got.bytes.equals(bytes))
    const info = await (await read('api/models/acme/before')).json()
    assert.equal(info.sha, commit)
  } finally {
    hub.renamed.clear()
  }
})

test('a gated model is for those whose saved token the hub takes', async () => {
  const { repo, bytes, path } = await given('gated')
  hub.gated.add(repo)
  const refused = await read(`${repo}/resolve/main/${path}`)
  assert.equal(refused.status, 403)
  assert.equal(refused.headers.get('x-error-code'), 'GatedRepo')
  const outsider = await server.newPerson('outsider')
  await outsider.native('PUT', '/me/upstream-tokens/one', { token: hub.outsiderToken })
  const asOutsider = { Authorization: `Bearer ${await outsider.token()}` }
  const closed = await read(`${repo}/resolve/main/${path}`, asOutsider)
  assert.deepEqual([closed.status, closed.headers.get('x-error-code')], [403, 'GatedRepo'])
  const member = await server.newPerson('member')
  await member.native('PUT', '/me/upstream-tokens/one', { token: hub.token })
  const memberToken = await member.token()
  const got = await download(watch.url, repo, 'main', path, { Authorization: `Bearer ${memberToken}` })
  assert.equal(got.status, 200)
  assert.ok(got.bytes.equals(bytes))
  const again = await read(`${repo}/resolve/main/${path}`)
  assert.equal(again.headers.get('x-error-code'), 'GatedRepo', 'what one may read is not for others')
  assert.ok(!JSON.stringify(hub.asked).includes(memberToken))
  assert.ok(!server.log().includes(hub.token))
})

test('what the hub does not have, or does not show, is 404', async () => {
  const none = await read('api/models/acme/never-was')
  assert.equal(none.status, 404)
  assert.equal(none.headers.get('x-error-code'), 'RepoNotFound')
  const { repo } = await given('paths')
  const entry = await read(`${repo}/resolve/main/tokenizer.json`)
  assert.deepEqual([entry.status, entry.headers.get('x-error-code')], [404, 'EntryNotFound'])
  const revision = await read(`${repo}/resolve/v9/config.json`)
  assert.deepEqual([revision.status, revision.headers.get('x-error-code')], [404, 'RevisionNotFound'])
})
