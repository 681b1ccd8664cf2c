// Large files going up and down, against nginx, dd and openssl.
import { spawn } from 'node:child_process'
import { open, rm, writeFile as write } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../fixtures/server.mjs'
import { mbps, median, mib, residentBytes, row, run, seconds } from './measure.mjs'
import { lfsFile, writeFile } from './seed.mjs'

export const gibibyte = 2 ** 30

async function nginx(dir) {
  const port = await freePort()
  const conf = join(dir, 'nginx.conf')
  await write(
    conf,
    `${process.getuid() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${dir}/nginx.pid; error_log stderr error;
     events { worker_connections 64; }
     http { access_log off; sendfile on; server { listen 127.0.0.1:${port}; root ${dir}; } }`,
  )
  const child = spawn('nginx', ['-c', conf, '-p', dir], { stdio: 'inherit' })
  await pause(500)
  return { child, url: `http://127.0.0.1:${port}` }
}

export async function download(server, repo, token, dir, file) {
  const reference = await nginx(dir)
  const get = (url, header) => run('curl', ['-sSf', '-o', '/dev/null', '-H', header, url])
  const theirs = []
  const ours = []
  for (let i = 0; i < 7; i++) {
    theirs.push(await seconds(() => get(`${reference.url}/${file}`, 'X-None: 1')))
    ours.push(
      await seconds(() =>
        get(`${server.url}/${repo}/resolve/main/big.bin`, `Authorization: Bearer ${token}`),
      ),
    )
  }
  reference.child.kill()
  const figure = median(theirs) / median(ours)
  return row(
    '1 GiB GET',
    mbps(gibibyte, median(ours)),
    `nginx sendfile ${mbps(gibibyte, median(theirs))}`,
    figure,
    '≥ 0.85 ×',
    figure >= 0.85,
  )
}

async function opensslBytesPerSecond() {
  const { stdout } = await run('openssl', [
    'speed',
    '-mr',
    '-seconds',
    '2',
    '-bytes',
    '16384',
    '-evp',
    'sha256',
  ])
  const line = stdout.split('\n').find((text) => text.startsWith('+F:'))
  return Number(line.split(':').at(-1))
}

export async function upload(hub, repo, dir, file) {
  const target = join(dir, 'dd.out')
  const dd = []
  const put = []
  const hash = gibibyte / (await opensslBytesPerSecond())
  for (let i = 0; i < 3; i++) {
    dd.push(await seconds(() => run('dd', [`if=${file}`, `of=${target}`, 'bs=1M', 'conv=fsync'])))
    await rm(target)
    const fresh = join(dir, 'fresh.bin')
    const oid = await writeFile(fresh, 1024)
    const { objects } = await hub.batch(repo, [{ oid, size: gibibyte }])
    put.push(await seconds(() => run('curl', ['-sSf', '-T', fresh, objects[0].actions.upload.href])))
    await rm(fresh)
  }
  const slower = Math.max(median(dd), hash)
  const figure = slower / median(put)
  const name = median(dd) > hash ? 'dd conv=fsync' : 'openssl sha256'
  return row(
    'LFS upload with hashing',
    mbps(gibibyte, median(put)),
    `${name} ${mbps(gibibyte, slower)}`,
    figure,
    '≥ 0.85 ×',
    figure >= 0.85,
  )
}

export async function flatMemory(server, hub, repo, token, dir) {
  const size = 10 * gibibyte
  const sparse = join(dir, 'sparse.bin')
  const file = await open(sparse, 'w')
  await file.truncate(size)
  await file.close()
  const { stdout } = await run('sha256sum', [sparse])
  const oid = stdout.slice(0, 64)
  const before = residentBytes(server.pid)
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, residentBytes(server.pid))), 100)
  const { objects } = await hub.batch(repo, [{ oid, size }])
  await run('curl', ['-sSf', '-T', sparse, objects[0].actions.upload.href])
  await hub.commit(repo, 'sparse', [lfsFile('sparse.bin', oid, size)])
  await run('curl', [
    '-sSf',
    '-o',
    '/dev/null',
    '-H',
    `Authorization: Bearer ${token}`,
    `${server.url}/${repo}/resolve/main/sparse.bin`,
  ])
  clearInterval(watch)
  await rm(sparse)
  const figure = (peak - before) / 2 ** 20
  return row(
    'resident memory while 10 GiB go up and down',
    `+${figure.toFixed(0)} MiB`,
    `from ${mib(before)}`,
    figure,
    '≤ +64 MiB',
    figure <= 64,
  )
}
