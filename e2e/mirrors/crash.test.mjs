// A server that is killed in the midst of a pull goes on where it was.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { startServer } from '../fixtures/server.mjs'
import { download, ended, givenModel, givenOwner } from './upstream.mjs'

test('a pull that is killed keeps its ranges, and ends in the next process', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-pull-'))
  const upstream = await startServer()
  const settings = { 'upstreams.near.base_url': upstream.url }
  let server = await startServer({ ...settings, 'pull.bandwidth_limit': '40MiB' }, { dir })
  try {
    const owner = await givenOwner(upstream)
    const { repo, commit, files } = await givenModel(owner, 'large', { 'big.bin': 150 * 2 ** 20 })
    const person = await server.newPerson('puller')
    const wish = { upstream: 'near', type: 'model', repo }
    const { id } = await person.native('POST', '/pulls', wish)
    for (;;) {
      const { files: listed } = await person.native('GET', `/pulls/${id}`)
      if (listed.some(({ done }) => done > 0)) break
      await pause(50)
    }
    await server.kill('SIGKILL')
    assert.equal((await download(upstream.url, repo, commit, 'big.bin')).status, 200)
    server = await startServer(settings, { dir })
    const again = await server.login(person.username, person.password)
    const job = await ended(again, id)
    assert.equal(job.status, 'succeeded', JSON.stringify(job))
    assert.ok((await download(server.url, repo, commit, 'big.bin')).bytes.equals(files['big.bin']))
    const found = await server.cli(['fsck', '--deep'])
    assert.doesNotMatch(found, /"severity":"error"/)
  } finally {
    await server.stop()
    await upstream.stop()
    await rm(dir, { recursive: true, force: true })
  }
})

test('a cancel ends a pull within seconds and keeps what is complete', async () => {
  const upstream = await startServer()
  const server = await startServer({
    'upstreams.near.base_url': upstream.url,
    'pull.bandwidth_limit': '1MiB',
  })
  try {
    const owner = await givenOwner(upstream)
    const { repo } = await givenModel(owner, 'slow', { 'a.bin': 1000, 'big.bin': 40 * 2 ** 20 })
    const person = await server.newPerson('puller')
    const { id } = await person.native('POST', '/pulls', { upstream: 'near', type: 'model', repo })
    for (;;) {
      const { files } = await person.native('GET', `/pulls/${id}`)
      if (files.some(({ path, status }) => path === 'a.bin' && status === 'done')) break
      await pause(50)
    }
    await person.native('POST', `/jobs/${id}/cancel`)
    assert.equal((await ended(person, id)).status, 'cancelled')
    const tree = await person.native('GET', `/repos/models/${repo}/tree/main`)
    const presence = Object.fromEntries(tree.entries.map((entry) => [entry.name, entry.presence]))
    assert.equal(presence['a.bin'], 'present')
    assert.notEqual(presence['big.bin'], 'present')
    assert.equal((await person.native('GET', `/repos/models/${repo}/mirror`)).state, 'failed')
  } finally {
    await server.stop()
    await upstream.stop()
  }
})
