// The real ollama pulls from the built server, and says of a model what its files say.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { hubClient, textFile } from '../bench/seed.mjs'
import { newPerson, startServer } from '../fixtures/server.mjs'
import { givenLarge } from '../mirrors/upstream.mjs'
import { startOllama, startProxy } from './client.mjs'
import { model } from './model.mjs'

const MIB = 2 ** 20

let proxy
let server
let owner
let ollama
before(async () => {
  // The address that ollama types is that of the proxy, so that what it receives can be counted.
  proxy = await startProxy()
  const url = `http://${proxy.host}`
  server = await startServer({ 'server.public_url': url })
  proxy.port = server.port
  const person = await newPerson(url, 'owner')
  owner = { ...person, hub: hubClient(url, await person.token()) }
  ollama = await startOllama()
})
after(async () => {
  await ollama?.stop()
  await server?.stop()
  proxy?.stop()
})

async function given(name, mib, { isPrivate = false } = {}) {
  const repo = `${owner.username}/${name}`
  await owner.native('POST', '/repos', {
    type: 'model',
    ns: owner.username,
    name,
    visibility: isPrivate ? 'private' : 'public',
  })
  const bytes = model(mib)
  const line = await givenLarge(owner, repo, `${name}-F32.gguf`, bytes)
  const params = JSON.stringify({ temperature: 0.25, stop: ['<|done|>'] })
  await owner.hub.commit(repo, 'Add the model', [line, textFile('params', params)])
  return {
    repo,
    name: `${proxy.host}/${repo}:F32`,
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}

test('a public model is pulled, and shows its template and parameters', async () => {
  const { name, bytes } = await given('open', 8)
  const pulled = await ollama.run('pull', '--insecure', name)
  assert.equal(pulled.code, 0, pulled.said)
  const template = await ollama.run('show', name, '--template')
  assert.match(template.said, /<\|im_start\|>/)
  const parameters = await ollama.run('show', name, '--parameters')
  assert.match(parameters.said, /temperature\s+0\.25/)
  assert.match(parameters.said, /stop\s+"<\|done\|>"/)
  const shown = await ollama.run('show', name)
  assert.match(shown.said, /architecture\s+llama/)
  assert.match(shown.said, /context length\s+4096/)
  assert.match(shown.said, /quantization\s+F32/)
  const listed = await ollama.run('list')
  assert.match(listed.said, new RegExp(`${name}\\s+\\w+\\s+${(bytes.length / 1e6).toFixed(1)} MB`))
})

test('a private model needs the saved key of the machine', async () => {
  const { name } = await given('secret', 4, { isPrivate: true })
  const stranger = await ollama.run('pull', '--insecure', name)
  assert.notEqual(stranger.code, 0)
  assert.match(stranger.said, /is not saved|unauthorized/)
  await owner.native('POST', '/me/ollama-keys', { name: 'machine', public_key: await ollama.publicKey() })
  const pulled = await ollama.run('pull', '--insecure', name)
  assert.equal(pulled.code, 0, pulled.said)
  assert.match((await ollama.run('show', name)).said, /architecture\s+llama/)
})

test('a cut download goes on where it was', async () => {
  const { name, bytes } = await given('large', 300)
  proxy.delayMs = 10
  const first = ollama.begin('pull', '--insecure', name)
  while ((await ollama.partialBytes()) < 60 * MIB) await pause(100)
  first.child.kill('SIGKILL')
  await first.ended
  // The server of ollama notices that the one who asked has gone.
  await pause(2000)
  const before = proxy.received
  proxy.delayMs = 0
  const again = await ollama.run('pull', '--insecure', name)
  assert.equal(again.code, 0, again.said)
  const fetched = proxy.received - before
  process.stdout.write(
    `# ${Math.round(fetched / MIB)} of ${Math.round(bytes.length / MIB)} MiB were fetched by the second pull\n`,
  )
  assert.ok(fetched < bytes.length - 30 * MIB, `the second pull fetched ${fetched} bytes`)
})

test('an unknown tag names those that there are, and a push is refused clearly', async () => {
  const { repo, name } = await given('other', 4)
  const unknown = await ollama.run('pull', '--insecure', `${proxy.host}/${repo}:Q9_9`)
  assert.notEqual(unknown.code, 0)
  assert.match(unknown.said, /F32/)
  assert.equal((await ollama.run('pull', '--insecure', name)).code, 0)
  await ollama.run('cp', name, `${proxy.host}/${owner.username}/pushed:latest`)
  const pushed = await ollama.run('push', '--insecure', `${proxy.host}/${owner.username}/pushed:latest`)
  assert.notEqual(pushed.code, 0)
  assert.match(pushed.said, /takes no pushes by ollama\. Upload the GGUF file/)
})
