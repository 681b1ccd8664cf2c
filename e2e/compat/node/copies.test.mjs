// Copies by the JavaScript hub client. 2.17.5 has `copyFile`, made for buckets; 2.2.0 downloads and commits.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { givenRepo, hub, on } from './row-setup.mjs'

const weights = randomBytes(3 * 1024 * 1024)
const sha256 = (data) => createHash('sha256').update(data).digest('hex')
const log = () => readFileSync(process.env.ARSENAL_LOG, 'utf8')
/** A test of `copyFile`, which 2.2.0 does not have. */
const testCopyFile = hub.copyFile ? test : () => undefined
const bytesOf = async (repo, path) =>
  Buffer.from(await (await hub.downloadFile({ ...on, repo, path })).arrayBuffer())

let repo
let other
before(async () => {
  repo = await givenRepo('model', { 'a.txt': 'alpha\n', 'w.bin': weights })
  other = await givenRepo('dataset')
})

/** Requests since a place in the log by which a large file comes, whole or in chunks. */
function transfersSince(mark) {
  const paths = /"path":"([^"]*)"/
  const asked = log()
    .slice(mark)
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => `${/"method":"([A-Z]+)"/.exec(line)?.[1]} ${paths.exec(line)?.[1]}`)
  return asked.filter((each) => /^PUT |read-token|\/(?:xorbs|shards|reconstructions)/.test(each))
}

testCopyFile('a small file is copied within a repo and to another', async () => {
  for (const to of [repo, other]) {
    await hub.copyFile({
      ...on,
      source: { repo, path: 'a.txt' },
      destination: { repo: to, path: 'copied/a.txt' },
    })
    assert.equal(String(await bytesOf(to, 'copied/a.txt')), 'alpha\n')
    const { value: commit } = await hub.listCommits({ ...on, repo: to }).next()
    assert.equal(commit.title, 'Update files')
  }
})

testCopyFile('a large file is refused by the client, which copies into buckets alone', async () => {
  const destination = { repo, path: 'copied/w.bin' }
  await assert.rejects(
    hub.copyFile({ ...on, source: { repo, path: 'w.bin' }, destination }),
    /only supported when the destination repo is a bucket/,
  )
  assert.equal(await hub.downloadFile({ ...on, repo, path: 'copied/w.bin' }), null)
})

test('a downloaded large file is committed elsewhere without a second upload', async () => {
  const mark = log().length
  for (const to of [repo, other]) {
    const content = new Blob([await bytesOf(repo, 'w.bin')])
    const operations = [{ operation: 'addOrUpdate', path: 'copied/w.bin', content }]
    await hub.commit({ ...on, repo: to, title: 'Copy', operations, useXet: true })
    assert.equal(sha256(await bytesOf(to, 'copied/w.bin')), sha256(weights))
  }
  assert.deepEqual(transfersSince(mark), [])
})

test('the answer of paths-info starts no download by chunks', async () => {
  const mark = log().length
  const [info] = await hub.pathsInfo({ ...on, repo, paths: ['w.bin'] })
  // 2.2.0 does not read it.
  assert.ok(info.xetHash === undefined || info.xetHash === '*'.repeat(64))
  for await (const file of hub.listFiles({ ...on, repo, recursive: true }))
    assert.equal(file.xetHash, undefined)
  assert.equal(sha256(await bytesOf(repo, 'w.bin')), sha256(weights))
  assert.deepEqual(transfersSince(mark), [])
})
