// An upload that is hashed on the way, against writing the file with dd and hashing it with openssl.
import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cpuSeconds, mbps, median, row, run, seconds } from './measure.mjs'
import { helper } from './processes.mjs'
import { writeFile } from './seed.mjs'

export const gibibyte = 2 ** 30
const sender = fileURLToPath(new URL('send.py', import.meta.url))
const rounds = 5

/** Longer than a virtual machine keeps unused memory, so that both begin with what a machine at rest has. */
const restMs = 3000

/** Seconds that openssl takes to hash a GiB. */
export async function opensslSeconds() {
  const args = ['speed', '-mr', '-seconds', '1', '-bytes', '16384', '-evp', 'sha256']
  const { stdout } = await run('openssl', args)
  const line = stdout.split('\n').find((text) => text.startsWith('+F:'))
  return gibibyte / Number(line.split(':').at(-1))
}

/** Makes a file another one, so that the server does not have it yet; answers its SHA-256. */
async function changed(file) {
  const handle = await open(file, 'r+')
  await handle.write(randomBytes(64), 0, 64, 0)
  await handle.close()
  return (await run('sha256sum', [file])).stdout.slice(0, 64)
}

/** Sends the file; answers seconds from the connection to the answer, and CPU seconds of both sides. */
async function send(pid, file, address) {
  const before = cpuSeconds(pid)
  const { stdout } = await run('python3', [sender, file, address])
  const { seconds: taken, cpu } = JSON.parse(stdout)
  return { taken, sending: cpu, serving: cpuSeconds(pid) - before }
}

/** The same to a server that drops what comes. */
async function dropped(file) {
  const sink = await helper('sink.mjs')
  const { serving } = await send(sink.child.pid, file, `${sink.url}/`)
  sink.child.kill()
  return serving
}

/** Upload and dd, each on a machine at rest; then both again right after one another, in memory that is warm. */
async function measureOnce(server, hub, repo, file, target) {
  const dd = async () => {
    const taken = await seconds(() => run('dd', [`if=${file}`, `of=${target}`, 'bs=1M', 'conv=fsync']))
    await rm(target)
    return taken
  }
  const upload = async (before) => {
    const oid = await changed(file)
    const { objects } = await hub.batch(repo, [{ oid, size: gibibyte }])
    const write = await before()
    return { write, ...(await send(server.pid, file, objects[0].actions.upload.href)) }
  }
  const rested = await upload(async () => {
    await pause(restMs)
    const write = await dd()
    await pause(restMs)
    return write
  })
  const warm = await upload(async () => {
    await dd()
    return dd()
  })
  return { rested, warm, hash: await opensslSeconds(), dropping: await dropped(file) }
}

/** The row, and under it what warm memory makes of it, and what the parts take. */
export async function upload(server, hub, repo, dir) {
  const file = join(dir, 'sent.bin')
  await writeFile(file, gibibyte / 2 ** 20)
  const measured = []
  for (let i = 0; i < rounds; i++)
    measured.push(await measureOnce(server, hub, repo, file, join(dir, 'dd.out')))
  const of = (get) => median(measured.map(get))
  const slower = (one) => (all) => Math.max(all[one].write, all.hash)
  const ratio = (one) => of((all) => slower(one)(all) / all[one].taken)
  const figure = ratio('rested')
  const name = of(({ rested }) => rested.write) > of(({ hash }) => hash) ? 'dd conv=fsync' : 'openssl sha256'
  const note = [
    `Right after another dd, in memory that is in use anyway, dd writes ${mbps(
      gibibyte,
      of(({ warm }) => warm.write),
    )}`,
    `and Arsenal takes ${mbps(
      gibibyte,
      of(({ warm }) => warm.taken),
    )}: ${ratio('warm').toFixed(2)} of the slower of dd and openssl.`,
    `CPU seconds per GiB: sending ${of(({ warm }) => warm.sending).toFixed(2)},`,
    `Arsenal ${of(({ warm }) => warm.serving).toFixed(2)} for receiving, hashing and writing,`,
    `a bare Node server that drops what comes ${of(({ dropping }) => dropping).toFixed(2)},`,
    `SHA-256 ${of(({ hash }) => hash).toFixed(2)}.`,
  ].join('\n')
  return {
    row: row(
      'LFS upload with hashing',
      mbps(
        gibibyte,
        of(({ rested }) => rested.taken),
      ),
      `${name} ${mbps(gibibyte, of(slower('rested')))}`,
      figure,
      '≥ 0.85 ×',
      figure >= 0.85,
    ),
    note,
  }
}
