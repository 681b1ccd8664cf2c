// Web and worker processes are stopped and started again one after the other, as an upgrade does it, while people work who
// repeat nothing: none of their requests fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unique } from './caller.mjs'
import { topologyOnTheWay } from './fixture.mjs'

const rounds = 1
const readers = 6
const writers = 3

const given = topologyOnTheWay(() => ({ workers: 1 }))

test('no request fails while every process is replaced', async (t) => {
  const { topology, caller } = given
  const repos = await Promise.all(Array.from({ length: writers }, () => caller.givenRepo()))
  for (const repo of repos) await caller.commit(repo, [{ op: 'add', path: 'first.txt', text: 'first' }])
  const over = new AbortController()
  const files = new Map()
  const failed = []
  let answered = 0
  const once = async (method, path, body) => {
    const { status, bytes } = await caller.ask(method, path, body)
    answered++
    if (status >= 200 && status < 300) return bytes
    failed.push(`${method} ${path}: ${status} ${bytes.toString().slice(0, 200)}`)
    return undefined
  }
  const read = async (repo) => {
    while (!over.signal.aborted) {
      const bytes = await once('GET', `/service-admin/${repo.name}/resolve/main/first.txt`)
      if (bytes) assert.equal(bytes.toString(), 'first')
    }
  }
  const write = async (repo) => {
    while (!over.signal.aborted) {
      const path = `${unique()}.txt`
      const operations = [{ op: 'add', path, text: path }]
      const made = await once('POST', `/api/service/v1${repo.path}/commits`, { title: path, operations })
      if (made) files.set(`${repo.name} ${path}`, path)
    }
  }
  const people = [
    ...Array.from({ length: readers }, (_, i) => read(repos[i % writers])),
    ...repos.map((repo) => write(repo)),
  ]
  for (let round = 0; round < rounds; round++)
    for (const process of topology.processes) {
      await process.stop()
      await process.start()
    }
  over.abort()
  await Promise.all(people)
  t.diagnostic(JSON.stringify({ answered, commits: files.size }))
  assert.deepEqual(failed, [])
  assert.ok(files.size > topology.processes.length)
  for (const [key, text] of files) {
    const [name, path] = key.split(' ')
    assert.equal((await caller.read({ name }, path)).toString(), text)
  }
  assert.equal((await topology.cli(['fsck'])).trim(), '')
})
