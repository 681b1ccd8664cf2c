// What real git fetches.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { addressOf, givenRepo, manyFiles, openBench, unique } from './workbench.mjs'
import { openServer } from './server.mjs'

let server
let bench
let repo

before(async () => {
  server = await openServer()
  bench = await openBench()
  repo = await givenRepo(server)
  for (let i = 1; i <= 5; i++)
    await repo.commit({ 'notes.txt': `${i}\n`, [`dir/${i}.txt`]: 'x\n' }, `change ${i}`)
})
after(async () => {
  await bench?.close()
  await server?.close()
})

for (const version of [0, 1, 2])
  describe(`protocol ${version}`, () => {
    const flags = ['-c', `protocol.version=${version}`]

    test('clone gives the files and the whole history, and fetch what is new', async () => {
      const work = await bench.clone(repo.open, flags)
      await work.fsck()
      assert.equal(await readFile(join(work.folder, 'dir/1.txt'), 'utf8'), 'x\n')
      assert.equal(await work.git('symbolic-ref', 'HEAD'), 'refs/heads/main')
      const { commit } = await repo.commit({ 'fetched.txt': `for ${version}\n` })
      await work.git(...flags, 'fetch', '-q')
      assert.equal(await work.head('origin/main'), commit)
      await work.git(...flags, 'fetch', '-q')
    })

    test('1 000 files', async () => {
      const many = await givenRepo(server)
      const files = manyFiles(1000)
      await many.commit(files)
      const work = await bench.clone(many.open, flags)
      assert.equal((await work.git('ls-files', 'many')).split('\n').length, 1000)
      assert.equal(await work.git('status', '--porcelain'), '')
    })

    test('a shallow clone is deepened and made whole', async () => {
      const work = await bench.clone(repo.open, [...flags, '--depth', '2'])
      const count = async () => Number(await work.git('rev-list', '--count', 'HEAD'))
      assert.equal(await count(), 2)
      await work.git(...flags, 'fetch', '-q', '--deepen', '1')
      assert.equal(await count(), 3)
      await work.git(...flags, 'fetch', '-q', '--unshallow')
      assert.ok((await count()) > 5)
      await work.fsck()
    })

    test('a partial clone fetches contents when they are asked for', async () => {
      const work = await bench.clone(repo.open, [...flags, '--filter=blob:none', '--no-checkout'])
      const missing = (await work.git('rev-list', '--objects', '--all', '--missing=print')).match(/^\?/gm)
      assert.ok(missing.length > 5)
      await work.git(...flags, 'checkout', '-q', 'main')
      assert.equal(await readFile(join(work.folder, 'dir/2.txt'), 'utf8'), 'x\n')
    })
  })

test('every form of the address leads to the repo, also with .git', async () => {
  const head = (await bench.git(['ls-remote', repo.open, 'HEAD'])).split('\t')[0]
  for (const url of [
    `${repo.open}.git`,
    `${repo.open}/`,
    repo.open.replace(server.url, `${server.url}/models`),
  ])
    assert.equal((await bench.git(['ls-remote', url, 'HEAD'])).split('\t')[0], head)
})

test('a dataset is cloned below datasets/', async () => {
  const { owner } = repo
  const name = unique('rows')
  await owner.native('POST', '/repos', { type: 'dataset', ns: owner.username, name, visibility: 'public' })
  const work = await bench.clone(`${server.url}/datasets/${owner.username}/${name}`)
  assert.match(await work.git('ls-files'), /^\.gitattributes$/m)
})

test('a mirror clone has every ref, and tags with what they lead to', async () => {
  const own = await givenRepo(server)
  const work = await bench.clone(own.url)
  await work.git('tag', '-am', 'first', 'v1')
  await work.git('tag', 'light')
  await work.git('push', '-q', 'origin', 'v1', 'light')
  const folder = bench.path()
  await bench.git(['clone', '-q', '--mirror', own.open, folder])
  const refs = await bench.git(['for-each-ref', '--format=%(refname) %(objecttype)'], { cwd: folder })
  assert.equal(refs, 'refs/heads/main commit\nrefs/tags/light commit\nrefs/tags/v1 tag')
  for (const version of [0, 2]) {
    const listed = await bench.git(['-c', `protocol.version=${version}`, 'ls-remote', own.open])
    assert.match(listed, /refs\/tags\/v1\^\{\}$/m)
  }
})

test('a repo that has moved is cloned and pushed to at its old address', async () => {
  const own = await givenRepo(server)
  const old = own.url
  const name = unique('new')
  await own.owner.native('POST', `${own.api}/rename`, { name })
  const work = await bench.clone(old)
  const head = await work.commit({ 'after.txt': 'moved\n' })
  await work.git('push', '-q')
  const moved = addressOf(server, own.owner, own.token, { ns: own.ns, name })
  assert.equal((await moved.get('')).head_commit, head)
})

describe('who may', () => {
  let hidden
  before(async () => {
    hidden = await givenRepo(server, { visibility: 'private' })
  })
  const lsRemote = (url) => bench.attempt(['ls-remote', url])

  test('a private repo asks for a name and, of a stranger, is not there', async () => {
    const nobody = await lsRemote(hidden.open)
    assert.match(nobody.said, /could not read Username/)
    const stranger = repo.url.replace(/\/[^/]+\/[^/]+$/, `/${hidden.ns}/${hidden.name}`)
    const one = await lsRemote(stranger)
    const other = await lsRemote(`${stranger}-nothing`)
    assert.match(one.said, /not found/)
    assert.equal(one.said.replaceAll(hidden.name, ''), other.said.replaceAll(`${hidden.name}-nothing`, ''))
  })

  test('the challenge is Basic alone', async () => {
    const answer = await fetch(`${hidden.open}/info/refs?service=git-upload-pack`)
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('WWW-Authenticate'), 'Basic realm="arsenal", charset="UTF-8"')
  })

  test('a token opens it as password, as name, and as bearer', async () => {
    const { token } = hidden
    for (const url of [
      hidden.url,
      hidden.open.replace('://', `://${token}:@`),
      hidden.open.replace('://', `://any:${token}@`),
    ])
      assert.equal((await lsRemote(url)).code, 0)
    const header = ['-c', `http.extraHeader=Authorization: Bearer ${token}`, 'ls-remote', hidden.open]
    assert.equal((await bench.attempt(header)).code, 0)
  })

  test('the password of the account does not, and git shows what does', async () => {
    const { username, password } = hidden.owner
    const answer = await fetch(`${hidden.open}/info/refs?service=git-upload-pack`, {
      headers: { Authorization: `Basic ${btoa(`${username}:${password}`)}` },
    })
    assert.equal(answer.status, 401)
    assert.match(await answer.text(), /access token as the password/)
  })
})

describe('on the wire', () => {
  const post = (body, headers = {}) =>
    fetch(`${repo.open}/git-upload-pack`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-git-upload-pack-request',
        'Git-Protocol': 'version=2',
        ...headers,
      },
      body,
    })
  const lsRefs = Buffer.from('0014command=ls-refs\n0001001bref-prefix refs/heads/\n0000')

  test('a gzip body is read', async () => {
    const plain = await (await post(lsRefs)).text()
    assert.match(plain, /refs\/heads\/main/)
    assert.equal(await (await post(gzipSync(lsRefs), { 'Content-Encoding': 'gzip' })).text(), plain)
  })

  test('zeros that inflate without end, wrong types and what is no packet are refused', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024))
    assert.equal((await post(bomb, { 'Content-Encoding': 'gzip' })).status, 413)
    assert.equal((await post(lsRefs, { 'Content-Encoding': 'br' })).status, 415)
    assert.equal((await post(lsRefs, { 'Content-Type': 'text/plain' })).status, 415)
    assert.equal((await post('no packet')).status, 400)
    assert.equal((await post('0014command=eat-refs0000')).status, 400)
  })

  test('answers are not cached, and the dumb protocol is not spoken', async () => {
    const answer = await fetch(`${repo.open}/info/refs?service=git-upload-pack`)
    assert.equal(answer.headers.get('Content-Type'), 'application/x-git-upload-pack-advertisement')
    assert.match(answer.headers.get('Cache-Control'), /no-cache/)
    assert.equal((await fetch(`${repo.open}/info/refs`)).status, 403)
  })
})
