// Downloads of large files, against nginx; and the memory they need.
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { mbps, median, mib, residentBytes, row, run, seconds } from './measure.mjs'
import { nginx } from './processes.mjs'
import { lfsFile } from './seed.mjs'
import { gibibyte } from './upload.mjs'

export async function download(server, repo, token, dir, file) {
  const reference = await nginx(dir, `root ${dir};`)
  const get = (url, header) => run('curl', ['-sSf', '-o', '/dev/null', '-H', header, url])
  const theirs = []
  const ours = []
  for (let i = 0; i < 9; i++) {
    theirs.push(await seconds(() => get(`${reference.url}/${file}`, 'X-None: 1')))
    ours.push(
      await seconds(() =>
        get(`${server.url}/${repo}/resolve/main/big.bin`, `Authorization: Bearer ${token}`),
      ),
    )
  }
  reference.child.kill()
  const figure = median(theirs.map((reference, i) => reference / ours[i]))
  return row(
    '1 GiB GET',
    mbps(gibibyte, median(ours)),
    `nginx sendfile ${mbps(gibibyte, median(theirs))}`,
    figure,
    '≥ 0.85 ×',
    figure >= 0.85,
  )
}

/** Sends a sparse file up and reads it back. */
async function upAndDown(server, hub, repo, token, dir, size) {
  const sparse = join(dir, 'sparse.bin')
  const file = await open(sparse, 'w')
  await file.truncate(size)
  await file.close()
  const { stdout } = await run('sha256sum', [sparse])
  const oid = stdout.slice(0, 64)
  const { objects } = await hub.batch(repo, [{ oid, size }])
  await run('curl', ['-sSf', '-T', sparse, objects[0].actions.upload.href])
  await hub.commit(repo, 'sparse', [lfsFile('sparse.bin', oid, size)])
  const header = `Authorization: Bearer ${token}`
  await run('curl', [
    '-sSf',
    '-o',
    '/dev/null',
    '-H',
    header,
    `${server.url}/${repo}/resolve/main/sparse.bin`,
  ])
  await rm(sparse)
}

/** Memory beyond what a server takes that has done such work before. */
export async function flatMemory(server, hub, repo, token, dir) {
  await upAndDown(server, hub, repo, token, dir, gibibyte)
  const before = residentBytes(server.pid)
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, residentBytes(server.pid))), 100)
  await upAndDown(server, hub, repo, token, dir, 10 * gibibyte)
  clearInterval(watch)
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
