// What people have on their machines: git, git-lfs and the hub's Python client.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ensurePython } from '../../api/dev/toolchain/python.mjs'

const run = promisify(execFile)
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** A repo address that carries the token. */
const withToken = (url, repo, token) => {
  const address = new URL(`${url}/${repo}`)
  address.username = 'ada'
  address.password = token
  return address.href
}

/** Pushes a repo with text and large files by git and git-lfs; answers path → SHA-256. */
export async function pushByGit(bench, { url, repo, token }) {
  const lfs = { HOME: bench.env.HOME }
  await bench.git(['lfs', 'install', '--skip-repo'], { more: lfs })
  const work = await bench.clone(withToken(url, repo, token))
  await work.git('lfs', 'track', '*.bin')
  const files = { 'notes.txt': Buffer.from('by git\n') }
  for (let n = 0; n < 12; n++) files[`weights-${n}.bin`] = randomBytes(1_500_000)
  await work.commit(files)
  await work.git('push', '-q', 'origin', 'HEAD:main')
  await work.git('tag', '-a', 'v1', '-m', 'first')
  await work.git('push', '-q', 'origin', 'v1')
  return new Map(Object.entries(files).map(([path, bytes]) => [path, sha256(bytes)]))
}

/** Clones it; every file has its bytes, large ones too, and git finds nothing wrong. */
export async function readByGit(bench, { url, repo, token }, files) {
  const work = await bench.clone(withToken(url, repo, token))
  for (const [path, hash] of files)
    assert.equal(sha256(await readFile(join(work.folder, path))), hash, `git: ${path}`)
  assert.equal(await work.git('tag', '-l'), 'v1')
  await work.fsck()
}

async function hf(bench, { url, token }, args) {
  const program = join(dirname((await ensurePython()).a), 'hf')
  const home = join(bench.dir, `hf-${randomBytes(4).toString('hex')}`)
  const env = {
    ...bench.env,
    HF_ENDPOINT: url,
    HF_TOKEN: token,
    HF_HOME: home,
    HF_HUB_DISABLE_TELEMETRY: '1',
  }
  return run(program, args, { env })
}

/** Uploads a folder with the hub's client, large files as chunks; answers path → SHA-256. */
export async function uploadByHub(bench, where) {
  const folder = bench.path()
  await mkdir(folder)
  const files = {
    'model.safetensors': randomBytes(6_000_000),
    'config.json': Buffer.from('{"model_type": "bert"}'),
  }
  for (const [path, bytes] of Object.entries(files)) await writeFile(join(folder, path), bytes)
  await hf(bench, where, ['upload', where.repo, folder, '.'])
  return new Map(Object.entries(files).map(([path, bytes]) => [path, sha256(bytes)]))
}

/** Downloads it into an empty cache. */
export async function readByHub(bench, where, files) {
  const folder = bench.path()
  await hf(bench, where, ['download', where.repo, '--local-dir', folder])
  const present = await readdir(folder)
  for (const [path, hash] of files) {
    assert.ok(present.includes(path.split('/')[0]), path)
    assert.equal(sha256(await readFile(join(folder, path))), hash, `hf: ${path}`)
  }
}
