// An upload that is hashed on the way, against writing the file with dd and hashing it with openssl.
import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cpuOf, cpuSeconds, mbps, median, row, run, seconds } from './measure.mjs'
import { helper } from './processes.mjs'
import { writeFile } from './seed.mjs'

export const gibibyte = 2 ** 30
// Small enough that memory which was free before the upload is still warm at its end.
const sentBytes = 2 ** 28
const sender = fileURLToPath(new URL('send.py', import.meta.url))
const rounds = 9

/** Seconds that openssl takes to hash what is sent. */
async function opensslSeconds() {
  const args = ['speed', '-mr', '-seconds', '1', '-bytes', '16384', '-evp', 'sha256']
  const { stdout } = await run('openssl', args)
  const line = stdout.split('\n').find((text) => text.startsWith('+F:'))
  return sentBytes / Number(line.split(':').at(-1))
}

/** Makes a file another one, so that the server does not have it yet; answers its SHA-256. */
async function changed(file) {
  const handle = await open(file, 'r+')
  await handle.write(randomBytes(64), 0, 64, 0)
  await handle.close()
  return (await run('sha256sum', [file])).stdout.slice(0, 64)
}

/** What the parts of an upload take when each runs alone: CPU seconds. */
async function parts(file, dd) {
  const sink = await helper('sink.mjs')
  const before = cpuSeconds(sink.child.pid)
  const sending = await cpuOf('python3', [sender, file, `${sink.url}/`])
  const receiving = cpuSeconds(sink.child.pid) - before
  sink.child.kill()
  return { sending, receiving, hashing: await opensslSeconds(), writing: await cpuOf('dd', dd) }
}

/** The row, and under it what the parts take: more than the cores have in the time of the reference is out of reach. */
export async function upload(server, hub, repo, dir) {
  const file = join(dir, 'sent.bin')
  await writeFile(file, sentBytes / 2 ** 20)
  const target = join(dir, 'dd.out')
  const dd = [`if=${file}`, `of=${target}`, 'bs=1M', 'conv=fsync']
  const measured = []
  for (let i = 0; i < rounds; i++) {
    const oid = await changed(file)
    const { objects } = await hub.batch(repo, [{ oid, size: sentBytes }])
    const hash = await opensslSeconds()
    // Memory of a virtual machine is slow at first touch and given back when it lies free: dd and we take what is warm.
    await run('dd', dd)
    await rm(target)
    const alone = await parts(file, dd)
    await rm(target)
    const write = await seconds(() => run('dd', dd))
    await rm(target)
    const before = cpuSeconds(server.pid)
    const put = await seconds(() => run('python3', [sender, file, objects[0].actions.upload.href]))
    const cpu = cpuSeconds(server.pid) - before
    measured.push({ ...alone, put, cpu, write, reference: Math.max(write, hash) })
  }
  const of = (name) => median(measured.map((one) => one[name]))
  const perGib = (seconds) => ((seconds * gibibyte) / sentBytes).toFixed(2)
  const figure = median(measured.map(({ reference, put }) => reference / put))
  const name = of('write') > of('hashing') ? 'dd conv=fsync' : 'openssl sha256'
  const least = (of('sending') + of('cpu')) / cpus().length
  const note = [
    `An upload's parts, each alone, in CPU seconds per GiB: sending it by sendfile ${perGib(of('sending'))},`,
    `a bare Node server that drops it in Node's own chunks ${perGib(of('receiving'))}, \`dd\` ${perGib(of('writing'))},`,
    `SHA-256 ${perGib(of('hashing'))}; Arsenal took ${perGib(of('cpu'))} for receiving, writing and hashing.`,
    `Sender and server need ${perGib(least)} s on ${cpus().length} cores, the reference`,
    `${perGib(of('reference'))} s: with all of them busy the whole time the figure would be ${(of('reference') / least).toFixed(2)}.`,
  ].join('\n')
  const shown = `${name} ${mbps(sentBytes, of('reference'))}`
  return {
    row: row(
      'LFS upload with hashing',
      mbps(sentBytes, of('put')),
      shown,
      figure,
      '≥ 0.85 ×',
      figure >= 0.85,
    ),
    note,
  }
}
