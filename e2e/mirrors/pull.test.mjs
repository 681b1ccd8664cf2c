// Pulls from another built server: same names, same commits, verified bytes.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { textFile } from '../bench/seed.mjs'
import { download, ended, givenLarge, givenModel, givenOwner, startPair } from './upstream.mjs'

let pair
let owner
let person
before(async () => {
  pair = await startPair()
  owner = await givenOwner(pair.upstream)
  person = await pair.server.newPerson('puller')
})
after(() => pair?.stop())

const pull = (wish) => person.native('POST', '/pulls', { upstream: 'near', type: 'model', ...wish })

async function pulled(wish) {
  const job = await ended(person, (await pull(wish)).id)
  assert.equal(job.status, 'succeeded', JSON.stringify(job))
  return job
}

test('a whole repo comes under its own name and commit, with verified bytes and provenance', async () => {
  const { repo, commit, files } = await givenModel(owner, 'whole')
  const job = await pulled({ repo })
  assert.equal(job.result.commit, commit)
  assert.deepEqual(
    job.files.map(({ path, status, size, done }) => [path, status, size === done]),
    Object.keys(files).map((path) => [path, 'done', true]),
  )
  for (const [path, bytes] of Object.entries(files)) {
    const got = await download(pair.server.url, repo, commit, path)
    assert.equal(got.status, 200)
    assert.ok(got.bytes.equals(bytes), path)
    assert.equal(got.headers.get('x-repo-commit'), commit)
  }
  const info = await (await fetch(`${pair.server.url}/api/models/${repo}`)).json()
  assert.equal(info.sha, commit)
  const at = `/repos/models/${repo}`
  const mirror = await person.native('GET', `${at}/mirror`)
  assert.equal(mirror.state, 'idle')
  assert.equal(mirror.local_commit, commit)
  assert.equal(mirror.bytes_present, mirror.bytes_total)
  const { items } = await person.native('GET', `${at}/provenance`)
  const { entries } = await person.native('GET', `${at}/tree/main`)
  const smallOnes = entries.map(({ path }) => path).filter((path) => !(path in files))
  assert.ok(smallOnes.includes('README.md'))
  assert.deepEqual(
    items.map(({ path, repo: from, commit: sha, verified }) => [path, from, sha, verified]).toSorted(),
    [
      ...Object.keys(files).map((path) => [path, repo, commit, 'sha256']),
      ...smallOnes.map((path) => [path, repo, commit, 'git']),
    ].toSorted(),
  )
  const shown = await person.native('GET', at)
  assert.deepEqual(shown.mirror, { upstream: 'near', repo, state: 'idle' })
})

test('a part of a repo is listed whole; what is missing says so, and is pulled later', async () => {
  const { repo, commit, files } = await givenModel(owner, 'part', { 'a.bin': 2000, 'b.bin': 3000 })
  await pulled({ repo, selection: { include: ['a.*'] } })
  const at = `/repos/models/${repo}`
  const tree = await person.native('GET', `${at}/tree/main`)
  const presence = Object.fromEntries(tree.entries.map((entry) => [entry.name, entry.presence]))
  assert.equal(presence['a.bin'], 'present')
  assert.equal(presence['b.bin'], 'missing')
  assert.equal(presence['config.json'], 'present')
  const missing = await download(pair.server.url, repo, 'main', 'b.bin')
  assert.equal(missing.status, 422)
  assert.match(missing.headers.get('x-error-message') ?? '', /has not been pulled/)
  assert.equal((await download(pair.server.url, repo, 'main', 'no-such-file')).status, 404)
  const more = await person.native('POST', `${at}/mirror/pull`, { include: ['b.*'] })
  assert.equal((await ended(person, more.id)).status, 'succeeded')
  const got = await download(pair.server.url, repo, commit, 'b.bin')
  assert.ok(got.bytes.equals(files['b.bin']))
})

test('a selection that matches nothing is refused before anything is fetched', async () => {
  const { repo } = await givenModel(owner, 'nothing', { 'a.bin': 2000 })
  await assert.rejects(pull({ repo, selection: { include: ['*.gguf'] } }), /422.*no large file/is)
  await assert.rejects(pull({ repo: `${owner.username}/absent` }), /404/)
  await assert.rejects(pull({ repo: `${person.username}/mine` }), /404/)
})

test('a mirror is read-only until it is detached; then it is an ordinary repo', async () => {
  const { repo, files } = await givenModel(owner, 'readonly', { 'a.bin': 2000, 'b.bin': 3000 })
  await pulled({ repo, selection: { include: ['a.bin'] } })
  const admin = await pair.server.login()
  const at = `/repos/models/${repo}`
  const commit = { title: 'change', operations: [{ op: 'add', path: 'x.txt', text: 'x' }] }
  await assert.rejects(admin.native('POST', `${at}/commits`, commit), /403.*read-only-mirror/s)
  await assert.rejects(
    admin.native('POST', `${at}/branches`, { name: 'b', from: 'main' }),
    /read-only-mirror/,
  )
  await assert.rejects(person.native('POST', `${at}/mirror/detach`), /403/)
  const detached = await admin.native('POST', `${at}/mirror/detach`)
  assert.equal(detached.mirror.state, 'detached')
  await admin.native('POST', `${at}/commits`, commit)
  assert.equal((await download(pair.server.url, repo, 'main', 'b.bin')).status, 422)
  // The very bytes that are missing may be brought by those who write here.
  const adminHub = {
    username: repo.split('/')[0],
    hub: (await import('../bench/seed.mjs')).hubClient(pair.server.url, await admin.token()),
  }
  await givenLarge(adminHub, repo, 'b.bin', files['b.bin'])
  const got = await download(pair.server.url, repo, 'main', 'b.bin')
  assert.ok(got.bytes.equals(files['b.bin']))
})

test('a sync follows the upstream, keeps what was pinned, and git clones the mirror', async () => {
  const { repo, commit, files } = await givenModel(owner, 'follow', { 'a.bin': 2000 })
  await pulled({ repo })
  const next = Buffer.alloc(5000, 7)
  const { commitOid } = await owner.hub.commit(repo, 'second', [
    await givenLarge(owner, repo, 'a.bin', next),
    textFile('config.json', '{"model_type":"gpt2"}'),
  ])
  const admin = await pair.server.login()
  const job = await admin.native('POST', `/repos/models/${repo}/mirror/sync`)
  assert.equal((await ended(admin, job.id)).status, 'succeeded')
  assert.ok((await download(pair.server.url, repo, 'main', 'a.bin')).bytes.equals(next))
  assert.ok((await download(pair.server.url, repo, commit, 'a.bin')).bytes.equals(files['a.bin']))
  const refs = await person.native('GET', `/repos/models/${repo}/refs`)
  assert.deepEqual(
    refs.branches.map(({ name, target_commit }) => [name, target_commit]),
    [['main', commitOid]],
  )
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-clone-'))
  try {
    const git = (...args) =>
      execFileSync('git', args, {
        cwd: dir,
        encoding: 'utf8',
        env: { ...process.env, GIT_LFS_SKIP_SMUDGE: '1' },
      })
    git('clone', '-q', `${pair.server.url}/${repo}`, 'clone')
    assert.equal(git('-C', 'clone', 'rev-parse', 'HEAD').trim(), commitOid)
    git('-C', 'clone', 'fsck', '--strict')
    // The second commit stands on the first, with which the history here begins; what is before it stays at the upstream.
    assert.equal(git('-C', 'clone', 'rev-list', '--count', 'HEAD').trim(), '2')
    assert.doesNotMatch(git('-C', 'clone', 'ls-remote', 'origin'), /synced/)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
  const fsck = await pair.server.cli(['fsck', '--deep']).catch((error) => error.stdout)
  assert.doesNotMatch(fsck, /error/i)
})

test('the whole history comes where that is wanted, also after a part of it', async () => {
  const { repo, commit } = await givenModel(owner, 'history', { 'a.bin': 2000 })
  const { commitOid } = await owner.hub.commit(repo, 'second', [textFile('more.txt', 'more')])
  await pulled({ repo })
  const commits = async () =>
    (await person.native('GET', `/repos/models/${repo}/commits?rev=main`)).items.map(({ sha }) => sha)
  assert.deepEqual(await commits(), [commitOid])
  await pulled({ repo, history: 'full' })
  const all = await commits()
  assert.deepEqual(all.slice(0, 2), [commitOid, commit])
  assert.equal(all.length, 3)
})

test('a private repo of the upstream is mirrored by a saved token alone, as a private one', async () => {
  const { repo, files } = await givenModel(owner, 'secret', { 'a.bin': 2000 })
  await owner.native('PATCH', `/repos/models/${repo}`, { visibility: 'private' })
  await assert.rejects(pull({ repo }), /404/)
  await person.native('PUT', '/me/upstream-tokens/near', { token: owner.secret })
  await assert.rejects(pull({ repo, visibility: 'public' }), /422/)
  await pulled({ repo })
  const name = `${person.username}/secret`
  const shown = await person.native('GET', `/repos/models/${name}`)
  assert.equal(shown.visibility, 'private')
  assert.equal((await download(pair.server.url, name, 'main', 'a.bin')).status, 401)
  const token = await person.token()
  const got = await download(pair.server.url, name, 'main', 'a.bin', { Authorization: `Bearer ${token}` })
  assert.ok(got.bytes.equals(files['a.bin']))
  await person.native('DELETE', '/me/upstream-tokens/near')
  assert.ok(!pair.server.log().includes(owner.secret))
})
