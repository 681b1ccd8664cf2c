// The JavaScript hub client, unmodified: run once per version by `run.mjs`, which sets HUB_CLIENT to its entry point.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { before, test } from 'node:test'

const hub = await import(process.env.HUB_CLIENT)
const hubUrl = process.env.ARSENAL_URL
const accessToken = process.env.ARSENAL_TOKEN
const owner = process.env.ARSENAL_USER
const on = { hubUrl, accessToken }
const repo = { type: 'model', name: `${owner}/js-${randomBytes(4).toString('hex')}` }
const sha256 = (data) => createHash('sha256').update(data).digest('hex')
const weights = randomBytes(12 * 1024 * 1024)
const bytesOf = async (blobOrResponse) => Buffer.from(await blobOrResponse.arrayBuffer())

async function all(iterable) {
  const items = []
  for await (const item of iterable) items.push(item)
  return items
}

before(async () => {
  const made = await hub.createRepo({ ...on, repo, private: true, license: 'mit' })
  assert.equal(made.repoUrl, `${hubUrl}/${repo.name}`)
})

test('says who the token belongs to', async () => {
  assert.equal((await hub.whoAmI(on)).name, owner)
})

test('uploads small and large files and lists them', async () => {
  await hub.uploadFiles({
    ...on,
    repo,
    commitTitle: 'From JavaScript',
    useXet: false,
    files: [
      { path: 'a/ü b.txt', content: new Blob(['hello']) },
      { path: 'weights.bin', content: new Blob([weights]) },
    ],
  })
  const files = await all(hub.listFiles({ ...on, repo, recursive: true, expand: true }))
  const byPath = new Map(files.map((file) => [file.path, file]))
  assert.deepEqual(
    [...byPath.keys()].sort(),
    ['.gitattributes', 'README.md', 'a', 'a/ü b.txt', 'weights.bin'].sort(),
  )
  assert.equal(byPath.get('weights.bin').size, weights.length)
  assert.equal(byPath.get('weights.bin').lfs.oid, sha256(weights))
  assert.match(byPath.get('a/ü b.txt').lastCommit.id, /^[0-9a-f]{40}$/)
})

test('downloads what it uploaded, whole and by range', async () => {
  const whole = await hub.downloadFile({ ...on, repo, path: 'weights.bin', xet: false })
  assert.equal(sha256(await bytesOf(whole)), sha256(weights))
  const text = await hub.downloadFile({ ...on, repo, path: 'a/ü b.txt', xet: false })
  assert.equal((await bytesOf(text)).toString(), 'hello')
  const info = await hub.fileDownloadInfo({ ...on, repo, path: 'weights.bin' })
  assert.equal(info.size, weights.length)
  assert.equal(info.etag.replaceAll('"', ''), sha256(weights))
  assert.equal(await hub.downloadFile({ ...on, repo, path: 'absent.txt' }), null)
})

test('knows which files exist', async () => {
  assert.equal(await hub.fileExists({ ...on, repo, path: 'weights.bin' }), true)
  assert.equal(await hub.fileExists({ ...on, repo, path: 'absent.txt' }), false)
})

test('commits deletes beside adds and lists the history', async () => {
  await hub.commit({
    ...on,
    repo,
    title: 'Tidy up',
    useXet: false,
    operations: [
      { operation: 'delete', path: 'a/ü b.txt' },
      { operation: 'addOrUpdate', path: 'b.json', content: new Blob(['{}']) },
    ],
  })
  const files = await all(hub.listFiles({ ...on, repo, recursive: true }))
  assert.deepEqual(
    files
      .map((file) => file.path)
      .filter((path) => path !== '.gitattributes' && path !== 'README.md')
      .sort(),
    ['b.json', 'weights.bin'],
  )
  if (hub.listCommits) {
    const commits = await all(hub.listCommits({ ...on, repo }))
    assert.equal(commits[0].title, 'Tidy up')
    assert.equal(await hub.countCommits({ ...on, repo, revision: 'main' }), commits.length)
  }
})

test('describes and lists the repo', async () => {
  const info = await hub.modelInfo({ ...on, name: repo.name, additionalFields: ['sha', 'tags'] })
  assert.equal(info.name, repo.name)
  assert.ok(info.tags.includes('license:mit'))
  const found = await all(hub.listModels({ ...on, search: { owner }, additionalFields: ['sha'] }))
  assert.ok(found.some((model) => model.name === repo.name))
  const tagged = { search: { owner, tags: ['license:mit'] }, sort: 'likes', limit: 500 }
  assert.ok((await all(hub.listModels({ ...on, ...tagged }))).some((model) => model.name === repo.name))
  const none = { search: { owner, task: 'depth-estimation' } }
  assert.deepEqual(await all(hub.listModels({ ...on, ...none })), [])
})

test('works with branches', async () => {
  await hub.createBranch({ ...on, repo, branch: 'feat/js' })
  const files = await all(hub.listFiles({ ...on, repo, revision: 'feat/js' }))
  assert.ok(files.some((file) => file.path === 'weights.bin'))
  await hub.deleteBranch({ ...on, repo, branch: 'feat/js' })
  await assert.rejects(all(hub.listFiles({ ...on, repo, revision: 'feat/js' })), { statusCode: 404 })
})

test('opens a pull request by a commit, reads its ref, and finds the base as it was', async () => {
  const large = randomBytes(11 * 1024 * 1024)
  const made = await hub.commit({
    ...on,
    repo,
    title: 'Propose it',
    description: 'From JavaScript.',
    isPullRequest: true,
    operations: [
      { operation: 'addOrUpdate', path: 'proposed.txt', content: new Blob(['proposed']) },
      { operation: 'addOrUpdate', path: 'proposed.bin', content: new Blob([large]) },
    ],
  })
  assert.equal(made.pullRequestUrl, `${hubUrl}/${repo.name}/discussions/1`)
  assert.match(made.commit.oid, /^[0-9a-f]{40}$/)
  const at = { ...on, repo, revision: 'refs/pr/1' }
  const paths = (await all(hub.listFiles(at))).map((file) => file.path)
  assert.ok(paths.includes('proposed.txt') && paths.includes('proposed.bin'))
  const text = await hub.downloadFile({ ...at, path: 'proposed.txt', xet: false })
  assert.equal((await bytesOf(text)).toString(), 'proposed')
  const whole = await hub.downloadFile({ ...at, path: 'proposed.bin', xet: false })
  assert.equal(sha256(await bytesOf(whole)), sha256(large))
  assert.equal(await hub.fileExists({ ...on, repo, path: 'proposed.txt' }), false)
})

test('commits to a pull request that is open', async () => {
  await hub.uploadFile({
    ...on,
    repo,
    branch: 'refs/pr/1',
    useXet: false,
    file: { path: 'more.txt', content: new Blob(['more']) },
  })
  assert.equal(await hub.fileExists({ ...on, repo, path: 'more.txt', revision: 'refs/pr/1' }), true)
  assert.equal(await hub.fileExists({ ...on, repo, path: 'more.txt' }), false)
  if (!hub.listCommits) return
  const commits = await all(hub.listCommits({ ...on, repo, revision: 'refs/pr/1' }))
  assert.equal(commits[1].title, 'Propose it')
})

test('deletes the repo', async () => {
  await hub.deleteRepo({ ...on, repo })
  await assert.rejects(hub.modelInfo({ ...on, name: repo.name }), { statusCode: 404 })
})
