// What the server has made durable when it answers, as docs/architecture.md ("Order of durability") has it, read from its
// system calls; and what is left of it where the power is cut.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { tsImport } from 'tsx/esm/api'
import { startServer } from '../fixtures/server.mjs'
import { givenRepo, openBench } from '../git/workbench.mjs'
import { Checker } from './checker.mjs'
import { operate, requireAll } from './operate.mjs'
import { ended, readTrace, straceTo, tracerOf } from './trace.mjs'

const { DiskModel } = await tsImport('../../api/stores/storage/testing/disk-model.ts', import.meta.url)

let dir
let data
let repo
let operations
let events
/** The disk before the recorded server started. */
let givenDisk

const walOf = () => join(data, 'service.db-wal')
/** SQLite makes its shared memory again, and the server's log is no data. */
const isPassing = (path) => ['service.db-shm', 'server.log'].some((name) => path === join(data, name))
const isKey = (path) => path.startsWith(`${data}/blobs/`) && !path.startsWith(`${data}/blobs/.`)
/** The database's log, and folders of the blob store: what is written aside has no name that counts. */
const isNamed = (path = '') => path === walOf() || path === join(data, 'blobs') || isKey(path)

const take = (model, event) => event.call !== 'answer' && model.take(event)

/** Runs every operation on a server whose calls are recorded, and which then dies at once. */
async function record() {
  const first = await startServer({}, { dir: data })
  repo = await givenRepo(first)
  await first.stop()
  const base = join(dir, 'base')
  await (await DiskModel.of(data)).cut('bare', base)
  givenDisk = () => DiskModel.of(base, data)
  const trace = join(dir, 'trace')
  const server = await startServer({}, { dir: data, env: { UV_USE_IO_URING: '0' }, under: straceTo(trace) })
  const bench = await openBench()
  try {
    const work = await bench.clone(repo.url.replace(`:${first.port}/`, `:${server.port}/`))
    operations = await operate(server, { repo, work })
    const tracer = await tracerOf(server.pid)
    await server.kill()
    await ended(tracer)
    events = await readTrace(trace)
  } finally {
    await server.stop()
    await bench.close()
  }
}

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-durability-'))
  data = join(dir, 'data')
  await mkdir(data)
  await record()
  const isAnswer = ({ call, text }) => call === 'answer' && text.startsWith('HTTP/1.1 2')
  for (const operation of operations) {
    operation.answered = events.findIndex((event) => isAnswer(event) && event.text.includes(operation.said))
    operation.from = events.findLastIndex((event, i) => i < operation.answered && isAnswer(event))
    assert.ok(operation.from > 0, `${operation.name} has no answer`)
  }
})
after(() => rm(dir, { recursive: true, force: true }))

test('bytes are synced, renamed, the folder is synced, rows are committed, and then comes the answer', async () => {
  const model = await givenDisk()
  let at = 0
  for (const { name, keys, from, answered } of operations) {
    const linked = []
    let rowsAfterBytes = 0
    for (; at <= answered; at++) {
      const event = events[at]
      const where = `${name}: ${event.call} ${event.path ?? event.to ?? ''}`
      if (event.call === 'link' && isKey(event.to)) {
        assert.ok(model.isSynced(event.from), `${where} of bytes that are not synced`)
        if (at > from) linked.push(event.to)
      }
      take(model, event)
      if (event.call === 'write' && event.path === walOf()) {
        for (const key of linked) assert.ok(model.isDurable(key), `${where} before ${key} is durable`)
        if (linked.length === keys) rowsAfterBytes++
      }
    }
    assert.equal(linked.length, keys, `${name} adds ${linked}`)
    assert.ok(rowsAfterBytes > 0, `${name} writes no row after its bytes`)
    assert.ok(model.isDurable(walOf()), `${name} is answered before its rows are synced`)
    for (const key of linked) assert.ok(model.isDurable(key), `${name} is answered before ${key} is durable`)
  }
})

test('a power cut right after an answer loses nothing that it acknowledged', async () => {
  const model = await givenDisk()
  let at = 0
  for (const [i, { name, answered }] of operations.entries()) {
    for (; at <= answered; at++) take(model, events[at])
    const left = join(dir, `left-${name}`)
    await model.cut('bare', left, isPassing)
    const server = await startServer({}, { dir: left })
    try {
      await requireAll(server, repo, operations.slice(0, i + 1))
    } finally {
      await server.stop()
    }
    if (i === operations.length - 1) assert.equal(await server.cli(['fsck', '--deep']), '')
  }
})

test('a power cut after any sync leaves nothing incomplete', async (t) => {
  const model = await givenDisk()
  const checker = new Checker()
  let cuts = 0
  const check = async (cut, where) => {
    const left = join(dir, `cut-${++cuts}`)
    await model.cut(cut, left, isPassing)
    assert.deepEqual(await checker.damage(left), [], `${cut} ${where}`)
    await rm(left, { recursive: true })
  }
  try {
    for (const [i, event] of events.entries()) {
      const isWithin = i > operations[0].from && i <= operations.at(-1).answered
      take(model, event)
      if (!isWithin || event.call !== 'sync' || !isNamed(event.path)) continue
      const where = `after call ${i}, the sync of ${event.path}`
      // Until the next of these the least that is left stays the same.
      await check('bare', where)
      // Rows that are durable now may name what has no more than a name.
      if (event.path === walOf()) await check('named', where)
    }
  } finally {
    checker.close()
  }
  t.diagnostic(`${cuts} cuts`)
  assert.ok(cuts > 30)
})
