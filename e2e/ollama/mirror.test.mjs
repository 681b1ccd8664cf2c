// The real ollama pulls what only another hub has, and again when that one is gone.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { textFile } from '../bench/seed.mjs'
import { bodiesOf } from '../mirrors/between.mjs'
import { PublicHub, reachingCdn } from '../mirrors/public-hub.mjs'
import { ended, givenLarge, pullingThrough, startApart } from '../mirrors/upstream.mjs'
import { startOllama } from './client.mjs'
import { model } from './model.mjs'

/** @type {PublicHub} */
let hub
let site
let between
let server
let owner
before(async () => {
  hub = await PublicHub.start()
  site = await startApart({ 'upstreams.public.base_url': hub.url, ...reachingCdn, ...pullingThrough })
  ;({ between, server, owner } = site)
})
after(async () => {
  await site?.stop()
  await hub?.stop()
})

/** A model at the upstream; answers its repo and what ollama calls it here. */
async function given(name, mib) {
  const repo = `${owner.username}/${name}`
  await owner.hub.create(repo)
  const bytes = model(mib)
  const line = await givenLarge(owner, repo, `${name}-F32.gguf`, bytes)
  await owner.hub.commit(repo, 'Add the model', [line, textFile('params', '{"temperature":0.25}')])
  return { repo, name: `127.0.0.1:${server.port}/${repo}:F32`, bytes }
}

/** Pulls as a machine that has nothing yet; answers what it shows of the model. */
async function pulled(name) {
  const ollama = await startOllama()
  try {
    const { code, said } = await ollama.run('pull', '--insecure', name)
    assert.equal(code, 0, said)
    const shown = await ollama.run('show', name)
    const parameters = await ollama.run('show', name, '--parameters')
    return `${shown.said}\n${parameters.said}`
  } finally {
    await ollama.stop()
  }
}

test('a model that is at the upstream alone comes by one transfer, and stays without the upstream', async () => {
  const { repo, name, bytes } = await given('cold', 150)
  const cold = await pulled(name)
  assert.match(cold, /architecture\s+llama/)
  assert.match(cold, /temperature\s+0\.25/)
  const sent = bodiesOf(between, `${repo}/resolve`).reduce((sum, one) => sum + one.bytes, 0)
  assert.ok(sent < 1.5 * bytes.length, `the upstream sent ${sent} bytes of ${bytes.length}`)
  between.isDown = true
  try {
    assert.equal(await pulled(name), cold)
  } finally {
    between.isDown = false
  }
})

test('a mirror that was pulled is pulled from by ollama, with the digest of the upstream', async () => {
  const { repo, name, bytes } = await given('whole', 20)
  const person = await server.newPerson('puller')
  const { id } = await person.native('POST', '/pulls', {
    upstream: 'near',
    type: 'model',
    repo,
    selection: { quants: ['F32'] },
  })
  assert.equal((await ended(person, id)).status, 'succeeded')
  const manifest = await fetch(`${server.url}/v2/${repo}/manifests/F32`).then((answer) => answer.json())
  const layer = manifest.layers.find(({ mediaType }) => mediaType.endsWith('.model'))
  assert.equal(layer.digest, `sha256:${createHash('sha256').update(bytes).digest('hex')}`)
  const asked = between.asked.length
  assert.match(await pulled(name), /quantization\s+F32/)
  assert.equal(between.asked.slice(asked).filter(({ url }) => url.includes('/resolve/')).length, 0)
})

test('a model of the public hub comes by one transfer from its CDN, and stays without that hub', async () => {
  const bytes = model(20)
  const files = { 'README.md': '# Model', params: '{"temperature":0.25}' }
  await hub.commit('acme/tiny', files, { 'tiny-F32.gguf': bytes })
  const name = `127.0.0.1:${server.port}/acme/tiny:F32`
  const cold = await pulled(name)
  assert.match(cold, /temperature\s+0\.25/)
  const sent = hub.cdn.bytesOf(createHash('sha256').update(bytes).digest('hex'))
  assert.ok(sent < 1.5 * bytes.length, `the CDN sent ${sent} bytes of ${bytes.length}`)
  hub.mood = 'gone'
  assert.equal(await pulled(name), cold)
  assert.deepEqual(hub.faults, [])
})
