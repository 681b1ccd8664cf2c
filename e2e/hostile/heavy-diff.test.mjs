// Commits with megabytes of changed lines, asked for by many readers at once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { givenRepo, openBench } from '../git/workbench.mjs'
import { openTarget } from './target.mjs'

const READERS = 20
const MIB = 1024 * 1024

let target
let bench
let repo
let work

before(async () => {
  target = await openTarget({ 'security.anonymous_read': 'true' })
  bench = await openBench()
  repo = await givenRepo(target, { visibility: 'public' })
  await repo.commit({ 'one.txt': '1\n' })
  work = await bench.clone(repo.url)
})
after(async () => {
  await bench?.close()
  await target?.stop()
})

/** Lines in an order of its own: every one of them has moved in the next version. */
const text = (bytes, salt) => {
  const lines = []
  for (let i = 0, length = 0; length < bytes; i++) {
    const line = `${(i * 7919 + salt * 104_729) % 99_991} some words that make a line ${(i * salt) % 13}\n`
    lines.push(line)
    length += line.length
  }
  return lines.join('')
}

const filesOf = (count, bytes, salt) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`text-${i}.txt`, text(bytes, salt + i)]))

async function twice(count, bytes) {
  await work.commit(filesOf(count, bytes, 1))
  const sha = await work.commit(filesOf(count, bytes, 500))
  await work.git('push', '-q', repo.url, 'HEAD:main')
  return sha
}

/** An anonymous reader's answer. */
async function read(path) {
  const answer = await fetch(`${target.url}/api/service/v1${repo.api}${path}`)
  return { status: answer.status, body: await answer.json() }
}

const atOnce = (path) => Promise.all(Array.from({ length: READERS }, () => read(path)))

test('a commit beyond the diff limit lists its files and says that the diff is cut', async () => {
  const sha = await twice(5, 2 * MIB)
  await target.withstand(async () => {
    for (const { status, body } of await atOnce(`/commits/${sha}`)) {
      assert.equal(status, 200)
      assert.deepEqual([body.files.length, body.truncated, body.total_additions], [5, true, 0])
      assert.ok(!body.files.some((file) => 'additions' in file || file.binary))
    }
    for (const { status, body } of await atOnce(`/commits/${sha}/diff?path=text-3.txt`))
      assert.deepEqual([status, body.too_large, body.hunks], [200, true, []])
  })
})

test('megabytes of changed lines within the limits are compared once for all readers', async () => {
  const sha = await twice(6, 700 * 1024)
  await target.withstand(async () => {
    const details = await atOnce(`/commits/${sha}`)
    const [{ body: first }] = details
    assert.equal(first.files.length, 6)
    for (const { status, body } of details) assert.deepEqual([status, body], [200, first])
    for (const { status, body } of await atOnce(`/commits/${sha}/diff?path=text-0.txt`))
      assert.deepEqual([status, body.too_large, body.hunks], [200, true, []])
  })
})

test('many such commits asked for at once are answered or refused with a time to try again', async () => {
  const shas = []
  for (let i = 0; i < 4; i++) shas.push(await work.commit(filesOf(6, 500 * 1024, i * 31)))
  await work.git('push', '-q', repo.url, 'HEAD:main')
  await target.withstand(async () => {
    const paths = shas.flatMap((sha) => [
      `/commits/${sha}`,
      ...Array.from({ length: 6 }, (_, i) => `/commits/${sha}/diff?path=text-${i}.txt`),
    ])
    for (const { status, body } of await Promise.all(paths.map(read))) {
      if (status === 200) continue
      assert.deepEqual([status, body.code], [503, 'temporarily-unavailable'])
    }
  })
  const { body } = await read(`/commits/${shas[0]}`)
  assert.equal(body.files.length, 6)
})

test('a small commit is compared in full afterwards', async () => {
  const { commit } = await repo.commit({ 'one.txt': '2\n' })
  const { body } = await read(`/commits/${commit}`)
  assert.deepEqual([body.total_additions, body.total_deletions, body.truncated], [1, 1, false])
  const diff = await read(`/commits/${commit}/diff?path=one.txt`)
  assert.deepEqual(diff.body.hunks[0].lines, [
    { kind: 'delete', text: '1' },
    { kind: 'add', text: '2' },
  ])
})
