// Repos by a single name: git and git-lfs follow to `hubapi.default_namespace`.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openServer } from './server.mjs'
import { addressOf, openBench, repoOf } from './workbench.mjs'

const ns = 'house'
let server
let bench
let owner
let token

before(async () => {
  server = await openServer({ 'hubapi.default_namespace': ns, 'telemetry.log_level': 'debug' })
  bench = await openBench()
  await bench.git(['lfs', 'install', '--skip-repo'])
  owner = await server.newPerson('gitty')
  token = await owner.token()
  await owner.native('POST', '/orgs', { ns })
})
after(async () => {
  await bench?.close()
  await server?.close()
})

/** The same address without the namespace. */
const single = (url) => url.replace(`/${ns}/`, '/')

test('a clone, a push and large files go by a single name, for models and data sets', async () => {
  for (const type of ['model', 'dataset']) {
    const repo = await repoOf(server, owner, token, { ns, type, visibility: 'private' })
    const prefix = type === 'dataset' ? 'datasets/' : ''
    const url = single(repo.url).replace(repo.name, prefix + repo.name)
    const work = await bench.clone(url)
    const content = randomBytes(5000)
    const head = await work.commit({ 'a.safetensors': content, 'b.txt': 'by a single name\n' })
    await work.git('push', '-q', 'origin', 'main')
    const { branches } = await owner.native('GET', `/repos/${type}s/${ns}/${repo.name}/refs`)
    assert.equal(branches[0].target_commit, head)

    const other = await bench.clone(`${url}.git`)
    assert.ok((await readFile(join(other.folder, 'a.safetensors'))).equals(content))
    await work.commit({ 'b.txt': 'again\n' })
    await work.git('push', '-q')
    await other.git('pull', '-q')
    assert.equal(await readFile(join(other.folder, 'b.txt'), 'utf8'), 'again\n')
    assert.match(server.log(), new RegExp(`"/${prefix}${repo.name}\\.git/info/lfs/objects/batch"`))
  }
})

test('repos may have the names that the addresses are made of', async () => {
  for (const name of ['info', 'git-upload-pack', 'git-receive-pack']) {
    await owner.native('POST', '/repos', { type: 'model', ns, name, visibility: 'public' })
    const repo = addressOf(server, owner, token, { ns, name })
    for (const url of [repo.url, single(repo.url)]) {
      const work = await bench.clone(url)
      await work.commit({ 'a.txt': `${url}\n` })
      await work.git('push', '-q')
    }
    const { body } = await fetch(repo.open, { headers: { Accept: 'text/html' }, redirect: 'manual' }).then(
      async (answer) => ({
        body: `${answer.status} ${answer.headers.get('content-type')}`,
      }),
    )
    assert.match(body, /^200 text\/html/)
  }
})

test('what is not there stays hidden by a single name too', async () => {
  const missing = await bench.attempt(['clone', '-q', `${server.url}/no-such-repo`])
  assert.notEqual(missing.code, 0)
  assert.match(missing.said, /could not read Username/)
})
