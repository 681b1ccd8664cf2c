// The rows about files that the JavaScript hub client calls, one test each.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { before } from 'node:test'
import { all, givenRepo, hub, hubUrl, on, row, upload } from './row-setup.mjs'

const MIB = 1024 * 1024
const weights = randomBytes(70_000)
const sha256 = (data) => createHash('sha256').update(data).digest('hex')
const resolve = 'GET /{repo}/resolve/{rev}/{path}'

let model
before(async () => {
  model = await givenRepo('model', { 'sub/a b.txt': 'alpha\n', 'sub/w.bin': weights })
})

row(
  ['POST /api/{type}s/{repo}/preupload/{rev}', 'POST /api/{type}s/{repo}/commit/{rev}'],
  'commits',
  async () => {
    const made = await upload(model, { 'new.txt': 'new' }, { commitTitle: 'One more' })
    assert.equal(made.commit.url, `${hubUrl}/${model.name}/commit/${made.commit.oid}`)
    assert.match(made.commit.oid, /^[0-9a-f]{40}$/)
    await hub.deleteFile({ ...on, repo: model, path: 'new.txt' })
  },
)

row(['POST /api/{type}s/{repo}/commit/{rev}?create_pr=1'], 'opens a pull request by a commit', async () => {
  const repo = await givenRepo('model')
  const made = await upload(repo, { 'a.txt': 'proposed' }, { isPullRequest: true })
  assert.equal(made.pullRequestUrl, `${hubUrl}/${repo.name}/discussions/1`)
  assert.equal(await hub.fileExists({ ...on, repo, path: 'a.txt' }), false)
})

row(['GET /api/{type}s/{repo}/tree/{rev}/{path}'], 'lists a tree', async () => {
  const files = await all(hub.listFiles({ ...on, repo: model, path: 'sub', expand: true }))
  const [small, large] = files.sort((a, b) => (a.path < b.path ? -1 : 1))
  assert.deepEqual([small.path, small.size, small.type], ['sub/a b.txt', 6, 'file'])
  assert.deepEqual(
    [large.path, large.lfs.oid, large.lfs.size],
    ['sub/w.bin', sha256(weights), weights.length],
  )
  assert.match(large.lastCommit.id, /^[0-9a-f]{40}$/)
})

row(['POST /api/{type}s/{repo}/paths-info/{rev}'], 'asks about paths', async () => {
  const paths = ['sub/w.bin', 'absent']
  const [info, ...others] = await hub.pathsInfo({ ...on, repo: model, paths, expand: true })
  assert.deepEqual(
    [info.path, info.size, info.lfs.oid, others],
    ['sub/w.bin', weights.length, sha256(weights), []],
  )
  assert.ok(info.lastCommit.date instanceof Date)
})

row([resolve, `${resolve} · without the chunked protocol`], 'downloads a file', async () => {
  const file = await hub.downloadFile({ ...on, repo: model, path: 'sub/w.bin' })
  assert.ok(Buffer.from(await file.arrayBuffer()).equals(weights))
})

row([`${resolve} · Range`], 'asks for the size of a file by its first byte', async () => {
  const info = await hub.fileDownloadInfo({ ...on, repo: model, path: 'sub/w.bin' })
  assert.deepEqual([info.size, info.etag], [weights.length, `"${sha256(weights)}"`])
})

row(['POST /{repo}.git/info/lfs/objects/batch · basic'], 'sends a large file by one request', async () => {
  const data = randomBytes(70_000)
  const repo = await givenRepo('model', { 'w.safetensors': data })
  const [info] = await hub.pathsInfo({ ...on, repo, paths: ['w.safetensors'] })
  assert.deepEqual([info.lfs.oid, info.lfs.size], [sha256(data), data.length])
})

row(['POST /{repo}.git/info/lfs/objects/batch · multipart'], 'sends a large file in parts', async () => {
  const data = Buffer.alloc(65 * MIB, randomBytes(MIB))
  const repo = await givenRepo('model', { 'w.safetensors': data })
  const [info] = await hub.pathsInfo({ ...on, repo, paths: ['w.safetensors'] })
  assert.deepEqual([info.lfs.oid, info.lfs.size], [sha256(data), data.length])
})
