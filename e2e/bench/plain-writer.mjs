// Uploads beside a plain server in Go, and the first download of what was just sent.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { requireGo } from '../../api/dev/toolchain/go.mjs'
import { freePort } from '../fixtures/server.mjs'
import { cpuSeconds, mbps, median, mib, residentBytes, row, run, seconds, warmMemory } from './measure.mjs'
import { nginx } from './processes.mjs'
import { lfsFile } from './seed.mjs'
import { gibibyte } from './upload.mjs'

const sender = fileURLToPath(new URL('send.py', import.meta.url))
const source = fileURLToPath(new URL('plain-writer', import.meta.url))
const rounds = 5
/** After this long without a request, memory counts as returned. */
const restMs = 60_000

/** Builds and starts the plain server, which writes to `folder`. */
async function plainWriter(dir) {
  await requireGo('the plain writer that uploads are compared with')
  const program = join(dir, 'plain-writer')
  await run('go', ['build', '-o', program, '.'], { cwd: source })
  const folder = join(dir, 'plain')
  await mkdir(folder)
  const port = await freePort()
  const child = spawn(program, [String(port), folder], { stdio: 'inherit' })
  await once(child, 'spawn')
  await pause(500)
  return { child, url: `http://127.0.0.1:${port}/` }
}

/** Makes a file another one; answers its SHA-256. */
async function changed(file) {
  const handle = await open(file, 'r+')
  await handle.write(randomBytes(64), 0, 64, 0)
  await handle.close()
  return (await run('sha256sum', [file])).stdout.slice(0, 64)
}

async function send(pid, file, address) {
  const before = cpuSeconds(pid)
  await run('python3', [sender, file, address])
  return cpuSeconds(pid) - before
}

/** One upload to each server, then a download from each of a file that is in the page cache. */
async function measureOnce({ server, hub, repo, token, dir, file, plain, reference }) {
  await warmMemory(dir)
  const theirs = await send(plain.child.pid, file, plain.url)
  const oid = await changed(file)
  const { objects } = await hub.batch(repo, [{ oid, size: gibibyte }])
  await warmMemory(dir)
  const ours = await send(server.pid, file, objects[0].actions.upload.href)
  await hub.commit(repo, 'sent', [lfsFile('sent.bin', oid, gibibyte)])
  const get = (url, header) => seconds(() => run('curl', ['-sSf', '-o', '/dev/null', '-H', header, url]))
  const first = await get(`${server.url}/${repo}/resolve/main/sent.bin`, `Authorization: Bearer ${token}`)
  await get(`${reference.url}/sent.bin`, 'X-None: 1')
  const warm = await get(`${reference.url}/sent.bin`, 'X-None: 1')
  return { theirs, ours, first, warm }
}

/** The rows of uploads through the page cache: their CPU time, the download that follows, the memory that stays. */
export async function uploadRows(server, hub, repo, token, dir) {
  const file = join(dir, 'sent.bin')
  const resting = residentBytes(server.pid)
  const [plain, reference] = [await plainWriter(dir), await nginx(dir, `root ${dir};`)]
  const given = { server, hub, repo, token, dir, file, plain, reference }
  const measured = []
  try {
    await run('dd', ['if=/dev/urandom', `of=${file}`, 'bs=1M', 'count=1024'])
    for (let i = 0; i < rounds; i++) measured.push(await measureOnce(given))
  } finally {
    plain.child.kill()
    reference.child.kill()
    await rm(file, { force: true })
  }
  await pause(restMs)
  const stays = (residentBytes(server.pid) - resting) / 2 ** 20
  const of = (get) => median(measured.map(get))
  const times = of(({ theirs, ours }) => ours / theirs)
  const figure = of(({ warm, first }) => warm / first)
  const [cpu, reads] = [({ ours }) => ours, ({ first }) => first]
  return [
    row(
      'LFS upload, CPU time per GiB',
      `${of(cpu).toFixed(2)} s`,
      `a plain writer in Go ${of(({ theirs }) => theirs).toFixed(2)} s`,
      times,
      '≤ 1.25 ×',
      times <= 1.25,
    ),
    row(
      '1 GiB GET right after its upload',
      mbps(gibibyte, of(reads)),
      `nginx, a warm file ${mbps(
        gibibyte,
        of(({ warm }) => warm),
      )}`,
      figure,
      '≥ 0.85 ×',
      figure >= 0.85,
    ),
    row(
      'resident memory a minute after 5 GiB were uploaded',
      `+${stays.toFixed(0)} MiB`,
      `from ${mib(resting)}`,
      stays,
      '≤ +60 MiB',
      stays <= 60,
    ),
  ]
}
