// Real git-lfs: downloads equal uploads, and it prints no needless warnings.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { rowTests } from '../fixtures/rows.mjs'
import { openServer } from './server.mjs'
import { givenRepo, openBench } from './workbench.mjs'

const batch = 'POST /{repo}.git/info/lfs/objects/batch'
let server
let bench
const row = rowTests('git-lfs', () => server.log())

before(async () => {
  server = await openServer({ 'telemetry.log_level': 'debug' })
  bench = await openBench()
  await bench.git(['lfs', 'install', '--skip-repo'])
})
after(async () => {
  await bench?.close()
  await server?.close()
})

row([`${batch} · basic`], 'large files are pushed and cloned, and locking is not spoken of', async () => {
  const repo = await givenRepo(server, { visibility: 'private' })
  const work = await bench.clone(repo.url)
  await work.git('lfs', 'track', '*.weights')
  const files = {
    'a.weights': randomBytes(12 * 1024 * 1024),
    'b/c.weights': randomBytes(100),
    'empty.weights': '',
  }
  await work.commit(files)
  const { code, said } = await work.attempt('push', 'origin', 'main')
  assert.equal(code, 0, said)
  assert.doesNotMatch(said, /lock/i)
  const { lfs_bytes: lfsBytes } = await repo.get('')
  assert.ok(lfsBytes >= 12 * 1024 * 1024)

  const other = await bench.clone(repo.url)
  for (const [path, content] of Object.entries(files))
    assert.ok((await readFile(join(other.folder, path))).equals(Buffer.from(content)), path)
  assert.equal(await other.git('status', '--porcelain'), '')

  const again = await work.attempt('push', 'origin', 'main:other')
  assert.equal(again.code, 0)
  assert.doesNotMatch(again.said, /lock/i)
})

row(
  ['moved Repos', `${batch} · basic`],
  'large files go to a repo that has moved, by its old address',
  async () => {
    const repo = await givenRepo(server)
    const work = await bench.clone(repo.url)
    const name = `${repo.name}-moved`
    await repo.owner.native('POST', `${repo.api}/rename`, { name })
    await work.commit({ 'model.safetensors': randomBytes(3000) })
    await work.git('push', '-q')
    const resolved = await fetch(`${server.url}/${repo.ns}/${name}/resolve/main/model.safetensors`)
    assert.equal((await resolved.arrayBuffer()).byteLength, 3000)
  },
)

test('the rules of a new repo send models through LFS, and every door gives their bytes', async () => {
  const repo = await givenRepo(server)
  const work = await bench.clone(repo.url)
  await work.commit({ 'model.safetensors': randomBytes(3000) })
  await work.git('push', '-q')
  const skipped = await bench.clone(repo.open, ['-c', 'lfs.fetchexclude=*'])
  assert.match(
    await readFile(join(skipped.folder, 'model.safetensors'), 'utf8'),
    /^version https:\/\/git-lfs/,
  )
  const resolved = await fetch(`${repo.open}/resolve/main/model.safetensors`)
  assert.equal((await resolved.arrayBuffer()).byteLength, 3000)
  const pulled = await bench.clone(repo.open)
  assert.equal((await readFile(join(pulled.folder, 'model.safetensors'))).length, 3000)
})

test('a push without its large files is refused with how to send them', async () => {
  const repo = await givenRepo(server)
  const work = await bench.clone(repo.url)
  await work.commit({ 'late.safetensors': randomBytes(5000) })
  const refused = await work.attempt('-c', 'core.hooksPath=/dev/null', 'push', 'origin', 'main')
  assert.notEqual(refused.code, 0)
  assert.match(refused.said, /git lfs push --all origin main/)
  await work.git('lfs', 'push', '--all', 'origin', 'main')
  await work.git('-c', 'core.hooksPath=/dev/null', 'push', '-q', 'origin', 'main')
})

test('files put into LFS later: the history that is migrated is taken', async () => {
  const repo = await givenRepo(server)
  const work = await bench.clone(repo.url)
  await work.commit({ 'big.dat': randomBytes(11 * 1024 * 1024) })
  assert.match(await work.refused('origin', 'main'), /git lfs migrate import --include="big\.dat"/)
  await work.git('lfs', 'migrate', 'import', '--yes', '--include=big.dat')
  await work.git('push', '-q', 'origin', 'main')
  assert.ok((await repo.get('')).lfs_bytes >= 11 * 1024 * 1024)
})

row(
  [`${batch} · multipart`],
  'files above the threshold go in parts by the agent of hf, and come back as they were',
  async () => {
    const repo = await givenRepo(server)
    const work = await bench.clone(repo.url)
    const hf = process.env.ARSENAL_HF
    const PATH = [dirname(hf), bench.env.PATH].join(delimiter)
    const { said, code } = await bench.attempt(['-c', `alias.hf=!${hf} lfs-enable-largefiles .`, 'hf'], {
      cwd: work.folder,
      more: { PATH },
    })
    assert.equal(code, 0, said)
    assert.equal(await work.git('config', 'lfs.customtransfer.multipart.args'), 'lfs-multipart-upload')
    // Parts have 16 MiB here: git-lfs sorts their names as text, so that ten and more tell whether they stay in order.
    const content = randomBytes(12 * 16 * 1024 * 1024 + 1)
    await work.commit({ 'big.safetensors': content, 'small.safetensors': randomBytes(10) })
    const pushed = await bench.attempt(['push', '-q', 'origin', 'main'], { cwd: work.folder, more: { PATH } })
    assert.equal(pushed.code, 0, pushed.said)
    assert.match(server.log(), /\/parts?\/13\b/)
    const other = await bench.clone(repo.open)
    assert.ok((await readFile(join(other.folder, 'big.safetensors'))).equals(content))
  },
)

test('a private repo asks the credential helper, for git and for git-lfs', async () => {
  const repo = await givenRepo(server, { visibility: 'private' })
  const helper = bench.path('helper.sh')
  const said = [`username=${repo.owner.username}`, `password=${repo.token}`].join('\\n')
  await writeFile(helper, `#!/bin/sh\n[ "$1" = get ] && printf '${said}\\n'\nexit 0\n`)
  await chmod(helper, 0o755)
  const flags = ['-c', `credential.helper=${helper}`]
  const work = await bench.clone(repo.open, flags)
  const content = randomBytes(4000)
  await work.commit({ 'private.safetensors': content })
  await work.git('push', '-q', 'origin', 'main')
  const other = await bench.clone(repo.open, flags)
  assert.ok((await readFile(join(other.folder, 'private.safetensors'))).equals(content))
})
