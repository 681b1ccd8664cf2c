// The rows about repos, collections and errors that the JavaScript hub client calls, one test each.
import assert from 'node:assert/strict'
import { before } from 'node:test'
import { all, asOther, givenRepo, hub, hubUrl, newName, on, owner, plain, row, upload } from './row-setup.mjs'

const collections = '/api/collections'

let model
let dataset
before(async () => {
  model = await givenRepo('model', { 'a.txt': 'alpha\n', 'b.txt': 'beta\n' })
  dataset = await givenRepo('dataset', { 'a.csv': 'a\n1\n' })
})

row(['GET /api/whoami-v2'], 'says who the token belongs to', async () => {
  const me = await hub.whoAmI(on)
  assert.equal(me.name, owner)
  assert.equal(me.type, 'user')
  assert.equal(me.auth.accessToken.role, 'write')
  assert.deepEqual(me.orgs, [])
})

row(['POST /api/repos/create'], 'creates a repo', async () => {
  const repo = { type: 'dataset', name: newName() }
  const made = await hub.createRepo({ ...on, repo, private: true })
  assert.equal(made.repoUrl, `${hubUrl}/datasets/${repo.name}`)
  await assert.rejects(hub.createRepo({ ...on, repo }), { statusCode: 409 })
})

row(['POST /api/repos/create'], 'creates a repo with files, in its first commit', async () => {
  const repo = { type: 'model', name: newName() }
  const card = '---\nlicense: apache-2.0\n---\n# Mine\n'
  const files = [
    { path: 'README.md', content: new Blob([card]) },
    { path: 'src/a.txt', content: new TextEncoder().encode('alpha\n').buffer },
  ]
  await hub.createRepo({ ...on, repo, license: 'mit', files })
  const commits = await all(hub.listCommits({ ...on, repo }))
  assert.deepEqual(
    commits.map(({ title, authors }) => [title, authors[0].username]),
    [['initial commit', owner]],
  )
  const paths = (await all(hub.listFiles({ ...on, repo, recursive: true }))).map(({ path }) => path)
  assert.deepEqual(paths.toSorted(), ['.gitattributes', 'README.md', 'src', 'src/a.txt'])
  assert.equal(await (await hub.downloadFile({ ...on, repo, path: 'README.md' })).text(), card)
})

row(['DELETE /api/repos/delete'], 'deletes a repo', async () => {
  const repo = await givenRepo('model')
  await hub.deleteRepo({ ...on, repo })
  await assert.rejects(hub.deleteRepo({ ...on, repo }), { statusCode: 404 })
})

row(['GET /api/models'], 'lists models', async () => {
  const found = await all(
    hub.listModels({ ...on, search: { owner, tags: ['license:mit'] }, additionalFields: ['tags'] }),
  )
  const entry = found.find(({ name }) => name === model.name)
  assert.deepEqual([entry.private, entry.gated, entry.likes], [false, false, 0])
  assert.ok(entry.tags.includes('license:mit') && entry.updatedAt instanceof Date)
})

row(['GET /api/datasets'], 'lists datasets', async () => {
  const found = await all(hub.listDatasets({ ...on, search: { owner } }))
  const entry = found.find(({ name }) => name === dataset.name)
  assert.deepEqual([entry.private, entry.gated], [false, false])
})

row(['GET /api/models/{repo}'], 'knows whether it may read a model', async () => {
  await hub.checkRepoAccess({ ...on, repo: model })
  const absent = { type: 'model', name: newName() }
  await assert.rejects(hub.checkRepoAccess({ ...on, repo: absent }), { statusCode: 404 })
})

row(['GET /api/datasets/{repo}'], 'knows whether it may read a dataset', () =>
  hub.checkRepoAccess({ ...on, repo: dataset }),
)

row(['GET /api/models/{repo}/revision/{rev}'], 'describes a model', async () => {
  const info = await hub.modelInfo({ ...on, name: model.name, additionalFields: ['sha', 'author', 'tags'] })
  assert.deepEqual([info.name, info.author, info.private], [model.name, owner, false])
  assert.match(info.sha, /^[0-9a-f]{40}$/)
  assert.ok(info.tags.includes('license:mit'))
})

row(['GET /api/{type}s/{repo}/revision/{rev}'], 'describes a dataset', async () => {
  const info = await hub.datasetInfo({ ...on, name: dataset.name, additionalFields: ['sha'] })
  assert.deepEqual([info.name, info.private, info.sha.length], [dataset.name, false, 40])
})

row(['GET /api/{type}s/{repo}/commits/{rev}'], 'lists commits', async () => {
  const commits = await all(hub.listCommits({ ...on, repo: model }))
  assert.deepEqual(
    commits.map(({ title }) => title),
    ['Add 2 files', 'initial commit'],
  )
  assert.deepEqual([commits[0].authors[0].username, commits[0].date instanceof Date], [owner, true])
})

row(
  ['POST /api/{type}s/{repo}/branch/{branch}', 'DELETE /api/{type}s/{repo}/branch/{branch}'],
  'branches',
  async () => {
    const repo = await givenRepo('model', { 'a.txt': 'a' })
    await hub.createBranch({ ...on, repo, branch: 'feat/js' })
    const paths = (await all(hub.listFiles({ ...on, repo, revision: 'feat/js' }))).map(({ path }) => path)
    assert.ok(paths.includes('a.txt'))
    await hub.deleteBranch({ ...on, repo, branch: 'feat/js' })
    await assert.rejects(all(hub.listFiles({ ...on, repo, revision: 'feat/js' })), { statusCode: 404 })
  },
)

row(['bad token'], 'says that a token is bad', () =>
  assert.rejects(hub.whoAmI({ hubUrl, accessToken: `hf_asl_${'a'.repeat(46)}` }), {
    statusCode: 401,
    message: /credentials/i,
  }),
)

row(['error: not found', 'error: hidden private Repo'], 'cannot tell a hidden repo from none', async () => {
  const repo = { type: 'model', name: newName() }
  await hub.createRepo({ ...on, repo, private: true })
  for (const name of [repo.name, newName()])
    await assert.rejects(hub.modelInfo({ hubUrl, name }), { statusCode: 401 })
  assert.equal(await hub.downloadFile({ ...on, repo, path: 'absent' }), null)
})

row(['moved Repos'], 'finds a repo by its old address', async () => {
  const repo = await givenRepo('model', { 'a.txt': 'moved' })
  const toRepo = newName()
  await plain('POST', '/api/repos/move', { fromRepo: repo.name, toRepo, type: 'model' })
  assert.equal((await hub.modelInfo({ ...on, name: repo.name })).name, toRepo)
  assert.equal(await (await hub.downloadFile({ ...on, repo, path: 'a.txt' })).text(), 'moved')
})

row(['error: gated Repo', 'write permissions'], 'is refused what it may not do', async () => {
  const repo = await givenRepo('model', { 'a.txt': 'gated' })
  await plain('PUT', `/api/models/${repo.name}/settings`, { gated: 'manual' })
  const forbidden = { statusCode: 403 }
  await assert.rejects(hub.downloadFile({ ...asOther, repo, path: 'a.txt' }), forbidden)
  await assert.rejects(upload(repo, { 'b.txt': 'b' }, asOther), forbidden)
})

row(['/api/spaces/...'], 'finds no Spaces', async () => {
  assert.deepEqual(await all(hub.listSpaces(on)), [])
  await assert.rejects(hub.spaceInfo({ ...on, name: newName() }), { statusCode: 404 })
})

if (hub.listJobs)
  row(['/api/jobs/... and /api/inference/...'], 'learns that there are no jobs', () =>
    assert.rejects(hub.listJobs({ ...on, namespace: owner }), {
      statusCode: 501,
      message: /^Jobs are not offered by this server/,
    }),
  )

if (hub.createCollection) {
  const given = async () =>
    (
      await hub.createCollection({
        ...on,
        collection: { title: newName(), namespace: owner, private: false },
      })
    ).slug

  row([`POST ${collections}`], 'creates a collection', async () => {
    const item = { type: 'model', id: model.name }
    const collection = { title: `With ${newName()}`, namespace: owner, private: false, item }
    const { slug } = await hub.createCollection({ ...on, collection })
    assert.ok(slug.startsWith(`${owner}/with-`))
  })

  row([`GET ${collections}`], 'lists collections', async () => {
    const slug = await given()
    const found = (await all(hub.listCollections({ ...on, search: { owner: [owner] } }))).find(
      (each) => each.slug === slug,
    )
    assert.deepEqual([found.owner.name, found.private, found.items], [owner, false, []])
  })

  row([`DELETE ${collections}/{slug}`], 'deletes a collection', async () => {
    const slug = await given()
    await hub.deleteCollection({ ...on, slug })
    await assert.rejects(hub.deleteCollection({ ...on, slug }), { statusCode: 404 })
  })
}
