// git with git-lfs, clients of model registries and single names bring what is absent, as hub clients do.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { register } from 'tsx/esm/api'
import { ensurePython } from '../../api/dev/toolchain/python.mjs'
import { hubClient, textFile } from '../bench/seed.mjs'
import { openBench } from '../git/workbench.mjs'
import { bodiesOf } from './between.mjs'
import { loadWith } from './loader.mjs'
import { download, givenLarge, givenModel, pullingThrough, startApart } from './upstream.mjs'

register()
const { GgufBytes, ggufFile } = await import('../../api/core/parsers/testing/samples.ts')

const MiB = 2 ** 20
/** Stands for the namespace that holds what the public hub knows by a single name. */
const house = 'openai-community'

let site
let between
let server
let owner
let bench
before(async () => {
  site = await startApart(pullingThrough, { 'hubapi.default_namespace': house })
  ;({ between, server, owner } = site)
  await owner.native('POST', '/orgs', { ns: house })
  bench = await openBench()
  await bench.git(['lfs', 'install', '--skip-repo'])
})
after(async () => {
  await bench?.close()
  await site?.stop()
})

/** Does it while the upstream cannot be reached. */
async function offline(work) {
  between.isDown = true
  try {
    return await work()
  } finally {
    between.isDown = false
  }
}

test('git and git-lfs clone a cold repo with its large files, and again without the upstream', async () => {
  const { repo, commit, files } = await givenModel(owner, 'cloned', { 'model.safetensors': 24 * MiB })
  const cold = await bench.clone(`${server.url}/${repo}`)
  assert.equal(await cold.head(), commit)
  assert.ok((await readFile(join(cold.folder, 'model.safetensors'))).equals(files['model.safetensors']))
  await cold.fsck()
  assert.match(await cold.git('lfs', 'fsck'), /OK/)
  assert.equal(bodiesOf(between, `${repo}/resolve`).length, 1)
  const again = await offline(() => bench.clone(`${server.url}/${repo}`))
  assert.ok((await readFile(join(again.folder, 'model.safetensors'))).equals(files['model.safetensors']))
})

test('a model registry answers a cold model, and sends its bytes in ranges while they arrive', async () => {
  const write = new GgufBytes()
  const header = ggufFile({
    keys: [['general.architecture', 8, write.string('llama')]],
    tensors: [{ name: 'token_embd.weight', shape: [1024, 4096], type: 0, offset: 0 }],
  })
  const bytes = Buffer.concat([header, Buffer.alloc(16 * MiB, 7)])
  const { repo } = await givenModel(owner, 'registry', {})
  await owner.hub.commit(repo, 'model', [await givenLarge(owner, repo, 'tiny-Q4_K_M.gguf', bytes)])
  const at = `${server.url}/v2/${repo}`
  const manifest = await fetch(`${at}/manifests/Q4_K_M`)
  assert.equal(manifest.status, 200, await manifest.clone().text())
  const { layers } = await manifest.json()
  const layer = layers.find(({ mediaType }) => mediaType.endsWith('.model'))
  assert.equal(layer.digest, `sha256:${createHash('sha256').update(bytes).digest('hex')}`)
  const half = Math.floor(bytes.length / 2)
  const part = (from, to) =>
    fetch(`${at}/blobs/${layer.digest}`, { headers: { Range: `bytes=${from}-${to}` } }).then(async (got) => {
      assert.equal(got.status, 206)
      return Buffer.from(await got.arrayBuffer())
    })
  const parts = await Promise.all([part(0, half - 1), part(half, bytes.length - 1)])
  assert.ok(Buffer.concat(parts).equals(bytes))
})

const viewer = async (path) => {
  const answer = await fetch(`${server.url}/viewer-api/${path}`)
  return { status: answer.status, code: answer.headers.get('x-error-code'), body: await answer.json() }
}

/** What the viewer says once it says what is expected, or at last. */
async function viewed(path, isExpected) {
  for (const until = Date.now() + 60_000; ;) {
    const answer = await viewer(path)
    if (isExpected(answer) || Date.now() > until) return answer
    await pause(200)
  }
}

test('the viewer brings a cold dataset, and shows rows of what is here', async () => {
  const data = { ...owner, hub: hubClient(site.upstream.url, owner.secret, 'dataset') }
  const repo = `${owner.username}/sentences`
  await data.hub.create(repo)
  const line = (text) => `${JSON.stringify({ text })}\n`
  const [small, large] = [line('one') + line('two'), line('three')]
  const split = (name, path) => `  - split: ${name}\n    path: ${path}\n`
  const config = (name, path) => `- config_name: ${name}\n  data_files:\n${split('train', path)}`
  await data.hub.commit(repo, 'first', [
    textFile('README.md', `---\nconfigs:\n${config('here', 'a.jsonl')}${config('away', 'b.jsonl')}---\n`),
    textFile('a.jsonl', small),
    await givenLarge(data, repo, 'b.jsonl', Buffer.from(large)),
  ])
  const of = `dataset=${encodeURIComponent(repo)}`
  const rowsOf = (name) => `rows?${of}&config=${name}&split=train&offset=0&length=10`
  // The first reader makes the mirror, whose files are read after that.
  const first = await viewer(`splits?${of}`)
  assert.ok(first.status === 200 || first.code === 'ResponseNotReady', JSON.stringify(first))
  const splits = await viewed(`splits?${of}`, ({ status }) => status === 200)
  assert.deepEqual(
    splits.body.splits?.map(({ config, split }) => [config, split]),
    [
      ['away', 'train'],
      ['here', 'train'],
    ],
  )
  const here = await viewed(rowsOf('here'), ({ status }) => status === 200)
  assert.deepEqual(
    here.body.rows?.map(({ row }) => row.text),
    ['one', 'two'],
    JSON.stringify(here),
  )
  // Rows bring no large files: that they are missing is said in words, until a reader has brought them.
  const away = await viewed(rowsOf('away'), ({ code }) => code !== 'ResponseNotReady')
  assert.equal(away.status, 500)
  assert.match(away.body.error, /b\.jsonl|not here|missing/i)
  assert.equal((await download(server.url, `datasets/${repo}`, 'main', 'b.jsonl')).bytes.toString(), large)
  const brought = await viewed(rowsOf('away'), ({ status }) => status === 200)
  assert.deepEqual(
    brought.body.rows?.map(({ row }) => row.text),
    ['three'],
    JSON.stringify(brought),
  )
  // Without the upstream, what is absent cannot be known; what is here is shown.
  const offlineAnswers = await offline(async () => [
    await viewer(rowsOf('here')),
    await viewer(`splits?dataset=${owner.username}%2Fnever-seen`),
  ])
  assert.deepEqual(
    offlineAnswers.map(({ status }) => status),
    [200, 504],
  )
  const none = await viewer(`splits?dataset=${owner.username}%2Fno-such-dataset`)
  assert.deepEqual([none.status, none.code], [401, 'ExternalUnauthenticatedError'])
})

test('a single name leads to what the upstream knows by it, also when the upstream is gone', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-single-'))
  try {
    const { commit, files } = await givenModel({ ...owner, username: house }, 'gpt2', {
      'model.bin': 2 * MiB,
    })
    const python = (await ensurePython()).e
    const load = (folder) =>
      loadWith(python, ['load.py', 'gpt2', 'main', join(dir, folder)], {
        url: server.url,
        home: join(dir, `${folder}-home`),
      })
    const expected = createHash('sha256').update(files['model.bin']).digest('hex')
    const cold = await load('cold')
    assert.deepEqual([cold.sha, cold.model], [commit, expected])
    assert.equal((await offline(() => load('offline'))).model, expected)
    const cloned = await offline(() => bench.clone(`${server.url}/gpt2`))
    assert.equal(await cloned.head(), commit)
    const none = await fetch(`${server.url}/api/models/no-such-model`)
    assert.equal(none.headers.get('x-error-code'), 'RepoNotFound')
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})
