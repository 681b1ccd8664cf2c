// A rolling upgrade: web and worker processes are replaced one after the other by those of the next release, while people work
// who repeat nothing. Both releases serve at once, on the tables of the next; no request fails.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { unique } from './caller.mjs'
import { topologyOnTheWay } from './fixture.mjs'
import { makeNextRelease, nextColumn } from './next-release.mjs'

const readers = 6
const writers = 3

// The proxy asks five times a second whether a process is ready.
const noticed = { 'server.shutdown_delay': '3s' }
const given = topologyOnTheWay(() => ({ workers: 1, settings: noticed }))
let next
before(() => {
  next = makeNextRelease()
})
after(() => next?.remove())

async function versionOf({ port }, token) {
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await fetch(`http://127.0.0.1:${port}/-/doctor`, { headers })
  return (await answer.json()).server.version
}

/** Which of its repos have the column that the next release adds. */
async function countRepos(dsn) {
  const db = new pg.Client(dsn)
  await db.connect()
  try {
    const { rows } = await db.query(`select count(*)::int as count from repos where ${nextColumn} = 'new'`)
    return rows[0].count
  } finally {
    await db.end()
  }
}

test('no request fails while every process is replaced by one of the next release', async (t) => {
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
  const replace = async (process, entry) => {
    await process.stop()
    if (entry) process.replaceBy(entry)
    await process.start()
  }
  const [first, second, ...workers] = topology.processes
  const versions = () => Promise.all([first, second].map((process) => versionOf(process, caller.token)))
  try {
    const [version] = await versions()
    await replace(first, next.main)
    assert.deepEqual(await versions(), [next.version, version])
    // One of the old release starts again on the new tables, as after a crash.
    await replace(second)
    assert.deepEqual(await versions(), [next.version, version])
    repos.push(await caller.givenRepo())
    assert.equal(await countRepos(topology.settings['database.dsn']), repos.length)
    for (const process of [second, ...workers]) await replace(process, next.main)
    assert.deepEqual(await versions(), [next.version, next.version])
  } finally {
    over.abort()
    await Promise.all(people)
  }
  t.diagnostic(JSON.stringify({ answered, commits: files.size }))
  assert.deepEqual(failed, [])
  assert.ok(files.size > topology.processes.length)
  for (const [key, text] of files) {
    const [name, path] = key.split(' ')
    assert.equal((await caller.read({ name }, path)).toString(), text)
  }
  assert.equal((await topology.cli(['fsck'])).trim(), '')
})
