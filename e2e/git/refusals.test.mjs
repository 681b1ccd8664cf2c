// Pushes that are refused, and what git prints then.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openServer } from './server.mjs'
import { addressOf, givenRepo, openBench, repoOf, unique } from './workbench.mjs'

let server
let bench

before(async () => {
  server = await openServer({
    'git.max_blob_size': '1MiB',
    'git.max_pack_size': '4MiB',
    'hubapi.regular_upload_max': '1MiB',
  })
  bench = await openBench()
})
after(async () => {
  await bench?.close()
  await server?.close()
})

async function given() {
  const repo = await givenRepo(server)
  return { repo, work: await bench.clone(repo.url), before: (await repo.get('')).head_commit }
}

test('a large file outside LFS: its name, its size, and what to do; other refs move', async () => {
  const { repo, work, before } = await given()
  await work.commit({ 'weights/my model.bin': randomBytes(1.5 * 1024 * 1024) })
  await work.git('branch', 'fine', 'HEAD~1')
  const said = await work.refused('origin', 'main', 'fine')
  assert.match(said, /1 file exceeds the 1 MiB limit/)
  assert.match(said, /weights\/my model\.bin {2}\(1\.5 MiB, refs\/heads\/main\)/)
  assert.match(said, /git lfs track "weights\/my model\.bin"/)
  assert.match(said, /git lfs migrate import/)
  assert.match(said, /\[new branch\] +fine/)
  assert.equal((await repo.get('')).head_commit, before)
})

test('a large file that a later commit deletes is in the history all the same', async () => {
  const { work } = await given()
  await work.commit({ 'big.bin': randomBytes(1.5 * 1024 * 1024) })
  await work.git('rm', '-q', 'big.bin')
  await work.commit({ 'small.txt': '1\n' })
  assert.match(await work.refused('origin', 'main'), /big\.bin/)
})

test('a commit that is itself larger than any made in earnest: what it is, and what to do', async () => {
  const { repo, work, before } = await given()
  await writeFile(join(work.folder, 'message'), 'why '.repeat(300_000))
  await work.git('commit', '-q', '--allow-empty', '-F', 'message')
  const said = await work.refused('origin', 'main')
  assert.match(said, new RegExp(`the commit ${await work.head()} itself has 1\\.1 MiB, of 1 MiB at most`))
  assert.match(said, /a commit is too large/)
  assert.equal((await repo.get('')).head_commit, before)
})

test('more refs than may move at once: how many, and how to push them', async () => {
  const { repo, work } = await given()
  const head = await work.head()
  const lines = Array.from({ length: 1001 }, (_, i) => `create refs/heads/team/${i} ${head}\n`)
  await writeFile(join(work.folder, 'refs'), lines.join(''))
  await work.git('-c', 'alias.made=!git update-ref --stdin <refs', 'made')
  const said = await work.refused('origin', '--all')
  assert.match(said, /moves 1001 refs and may move 1000 at once/)
  assert.match(said, /remote unpack failed: too many refs at once/)
  assert.equal((await repo.get('/refs')).branches.length, 1)
  await work.git('push', '-q', 'origin', 'refs/heads/team/1*:refs/heads/team/1*')
  assert.equal((await repo.get('/refs')).branches.length, 113)
})

test('a pack above the limit', async () => {
  const { repo, work, before } = await given()
  const part = 0.9 * 1024 * 1024
  await work.commit(Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`${n}.bin`, randomBytes(part)])))
  for (const flags of [[], ['-c', 'http.postBuffer=20m']]) {
    const { code, said } = await work.attempt(...flags, 'push', 'origin', 'main')
    assert.notEqual(code, 0)
    assert.match(said, /exceeds the limit of 4 MiB|413/)
  }
  assert.equal((await repo.get('')).head_commit, before)
})

test('a pack that inflates to more than four times the limit, small and large, in whole contents and in deltas', async () => {
  const { repo, work, before } = await given()
  const fill = (letter, n) => Buffer.alloc(0.9 * 1024 * 1024 + n, letter)
  const noise = randomBytes(0.9 * 1024 * 1024)
  const files = (of) => Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`${n}.txt`, of(n)]))
  const noDeltas = ['-c', 'pack.window=0']
  for (const { flags, bomb } of [
    { flags: noDeltas, bomb: files((n) => fill('a', n)) },
    { flags: [], bomb: files((n) => Buffer.concat([noise, Buffer.from(`${n}`)])) },
    { flags: noDeltas, bomb: { ...files((n) => fill('b', n)), noise, more: noise.subarray(1) } },
  ]) {
    await work.commit(bomb)
    const { code, said } = await work.attempt(...flags, 'push', 'origin', 'main', 'main:side')
    assert.notEqual(code, 0)
    assert.match(said, /remote: arsenal: push rejected, the pack inflates to more than 16777216 bytes/)
    assert.match(said, /\[remote rejected\] +main -> main/)
    assert.match(said, /\[remote rejected\] +main -> side/)
    await work.git('reset', '-q', '--hard', before)
  }
  assert.equal((await repo.get('')).head_commit, before)
  assert.deepEqual(await readdir(join(server.dir, 'cache', 'git', '.tmp')), [])
})

test('a pointer without its object, and one to an object that only others have', async () => {
  const { work } = await given()
  const pointer = (sha256, size) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${size}\n`
  await work.commit({ 'model.bin': pointer('ab'.repeat(32), 1234) })
  const said = await work.refused('origin', 'main')
  assert.match(said, /LFS objects missing/)
  assert.match(said, /model\.bin {2}\((?:ab){32}\)/)
  assert.match(said, /git lfs push --all origin main/)

  const theirs = await givenRepo(server, { visibility: 'private' })
  const bytes = randomBytes(1.2 * 1024 * 1024)
  const { sha256 } = await upload(theirs, bytes)
  await work.git('reset', '-q', '--hard', 'HEAD~1')
  await work.commit({ 'stolen.bin': pointer(sha256, bytes.length) })
  assert.match(await work.refused('origin', 'main'), /LFS objects missing/)
})

/** Uploads an object as git-lfs does. */
async function upload(repo, bytes) {
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
  const answer = await fetch(`${repo.open}.git/info/lfs/objects/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${repo.token}`, 'Content-Type': 'application/vnd.git-lfs+json' },
    body: JSON.stringify({
      operation: 'upload',
      transfers: ['basic'],
      ref: { name: 'refs/heads/main' },
      objects: [{ oid: digest, size: bytes.length }],
    }),
  })
  const { objects } = await answer.json()
  const sent = await fetch(objects[0].actions.upload.href, { method: 'PUT', body: bytes })
  assert.equal(sent.status, 200)
  return { sha256: digest }
}

test('the default branch is not deleted; others are', async () => {
  const { work } = await given()
  await work.git('push', '-q', 'origin', 'main:other')
  assert.match(await work.refused('origin', ':main'), /default branch cannot be deleted/)
  await work.git('push', '-q', 'origin', ':other')
})

test('refs of the server, and forbidden names', async () => {
  const { work } = await given()
  await work.commit({ a: '1\n' })
  for (const ref of ['refs/convert/parquet', 'refs/notes/x', `refs/heads/${'a'.repeat(40)}`])
    await work.refused('origin', `main:${ref}`)
  assert.match(await work.refused('origin', 'main:refs/convert/parquet'), /not writable/)
})

test('the history of the default branch is rewritten by admins alone, other branches by writers', async () => {
  const owner = await server.newPerson('owner')
  const ns = unique('team')
  await owner.native('POST', '/orgs', { ns })
  const repo = await repoOf(server, owner, await owner.token(), { ns })
  const writer = await server.newPerson('writer')
  await owner.native('PUT', `/orgs/${ns}/members/${writer.username}`, { role: 'write' })
  const theirs = addressOf(server, writer, await writer.token(), repo)
  await repo.commit({ a: '1\n' })
  const work = await bench.clone(theirs.url)
  await work.git('push', '-q', 'origin', 'main:side')
  await work.git('commit', '-q', '--amend', '-m', 'rewritten')
  await work.git('push', '-q', '-f', 'origin', 'main:side')
  const said = await work.refused('-f', 'origin', 'main')
  assert.match(said, /non-fast-forward/)
  assert.match(said, /only moves forward/)
  await work.git('push', '-q', '-f', repo.url, 'main')
})

test('a reader may clone and not push; an anonymous caller is asked for a name', async () => {
  const { repo, work } = await given()
  const reader = await server.newPerson('reader')
  const theirs = addressOf(server, reader, await reader.token(), repo)
  const readOnly = addressOf(server, repo.owner, await repo.owner.token('read', ['read']), repo)
  await work.commit({ a: '1\n' })
  assert.match(await work.refused(theirs.url, 'main'), /you may not write/)
  assert.match(await work.refused(readOnly.url, 'main'), /403/)
  assert.match(await work.refused(repo.open, 'main'), /could not read Username/)
})

test('a branch that has moved meanwhile', async () => {
  const { repo, work } = await given()
  await work.commit({ a: '1\n' })
  const { commit } = await repo.commit({ b: '2\n' })
  assert.match(await work.refused('origin', 'main'), /fetch first/)
  assert.equal((await repo.get('')).head_commit, commit)
})

test('a tree that would harm users who check it out', async () => {
  const { work } = await given()
  const blob = await work.git('hash-object', '-w', '.gitattributes')
  const mktree = async (entry) => {
    await work.write({ '../entry': entry })
    return bench.git(['-c', `alias.make=!git mktree < '${work.folder}/../entry'`, 'make'], {
      cwd: work.folder,
    })
  }
  for (const { entry, reason } of [
    { entry: `100644 blob ${blob}\t.GIT`, reason: /hasDotgit/ },
    { entry: `100644 blob ${blob}\tback\\slash`, reason: /must not contain a backslash/ },
  ]) {
    const commit = await work.git('commit-tree', '-p', 'HEAD', '-m', 'harm', await mktree(entry))
    assert.match(await work.refused('origin', `${commit}:refs/heads/harm`), reason)
  }
})

test('names that some machines take for the same are pushed, with a warning', async () => {
  const { work } = await given()
  await work.commit({ 'dir/Model.txt': '1\n', 'dir/model.TXT': '2\n' })
  const { code, said } = await work.attempt('push', 'origin', 'main')
  assert.equal(code, 0)
  assert.match(said, /remote: arsenal: warning, names that differ in nothing but case/)
  assert.match(said, /remote: {3}"dir\/Model\.txt" {2}"dir\/model\.TXT"/)
  await work.commit({ 'other.txt': '3\n' })
  assert.doesNotMatch((await work.attempt('push', 'origin', 'main')).said, /warning/)
})

test('a pack that is cut short or lacks objects', async () => {
  const { repo, work } = await given()
  await work.commit({ a: '1\n' })
  const head = await work.head()
  const old = (await repo.get('')).head_commit
  const command = `${old} ${head} refs/heads/main\0report-status side-band-64k`
  const line = Buffer.from(`${(command.length + 4).toString(16).padStart(4, '0')}${command}`)
  const push = async (pack) => {
    const answer = await fetch(`${repo.open}/git-receive-pack`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${repo.token}`,
        'Content-Type': 'application/x-git-receive-pack-request',
      },
      body: Buffer.concat([line, Buffer.from('0000'), pack]),
    })
    assert.equal(answer.status, 200)
    return answer.text()
  }
  const empty = Buffer.from('5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex')
  assert.match(await push(empty), /ng refs\/heads\/main missing necessary objects/)
  assert.match(await push(Buffer.from('PACK\0\0\0\x02\0\0\0\x05nonsense')), /unpack the pack is damaged/)
  assert.match(await push(Buffer.alloc(0)), /ng refs\/heads\/main missing necessary objects/)
  assert.equal((await repo.get('')).head_commit, old)
})

test('a protected branch: a pull request is needed, nothing is rewritten or deleted; others move', async () => {
  const { repo, work, before } = await given()
  const rule = (pattern, more = {}) =>
    repo.owner.native('POST', `${repo.api}/branch-rules`, { pattern, include_admins: true, ...more })
  await rule('main')
  await rule('release/*', { require_pull_request: false })
  await work.commit({ 'a.txt': 'a\n' })
  await work.git('branch', 'fine')
  const said = await work.refused('origin', 'main', 'fine')
  assert.match(said, /main -> main \(The branch main is protected: changes need a pull request\.\)/)
  assert.match(said, /\[new branch\] +fine/)
  assert.equal((await repo.get('')).head_commit, before)

  await work.git('push', '-q', 'origin', 'main:refs/heads/release/1')
  await work.git('commit', '-q', '--amend', '-m', 'another')
  const rewritten = await work.refused('--force', 'origin', 'main:refs/heads/release/1')
  assert.match(rewritten, /release\/1 is protected \(rule "release\/\*"\): its history cannot be rewritten/)
  assert.match(await work.refused('origin', ':release/1'), /cannot be deleted/)
  await work.git('reset', '-q', '--hard', 'fine')
  await work.commit({ 'b.txt': 'b\n' })
  await work.git('push', '-q', 'origin', 'main:refs/heads/release/1')
})
