// `npm run bench`: every figure is a ratio to a reference measured in the same run; the table goes to docs/benchmarks.md.
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, open, readFile, rm, writeFile as write } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, startServer } from '../fixtures/server.mjs'
import { cpuSeconds, load, mbps, median, mib, residentBytes, row, run, seconds } from './measure.mjs'
import { hubClient, lfsFile, textFile, writeFile } from './seed.mjs'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const gibibyte = 2 ** 30
const dir = await mkdtemp(join(tmpdir(), 'arsenal-bench-'))
const rows = {
  all: [],
  push(line) {
    console.log(
      `${line.what}: ${line.measured} (${line.reference}) ${line.figure.toFixed(2)} ${line.bound} ${line.kept}`,
    )
    this.all.push(line)
  },
}

async function helper(script, ...args) {
  const port = await freePort()
  const child = spawn(process.execPath, [here(script), String(port), ...args], { stdio: 'inherit' })
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/`)
      break
    } catch {
      await pause(20)
    }
  }
  return { port, child, url: `http://127.0.0.1:${port}` }
}

async function start() {
  const times = []
  for (let i = 0; i < 5; i++) {
    let server
    times.push(await seconds(async () => (server = await startServer())))
    await server.stop()
  }
  const figure = median(times)
  rows.push(row('empty start to /readyz', `${figure.toFixed(2)} s`, '', figure, '≤ 1.0 s', figure <= 1))
}

async function idle(server) {
  await pause(3000)
  const figure = residentBytes(server.pid)
  rows.push(row('idle resident memory', mib(figure), '', figure / 2 ** 20, '≤ 150 MB', figure <= 150e6))
}

async function resolver(server, repo, token) {
  const hello = await helper('hello.mjs')
  const perRequest = async (pid, request) => {
    await load({ ...request, total: 3000, lanes: 8 })
    const costs = []
    for (let i = 0; i < 5; i++) {
      const before = cpuSeconds(pid)
      await load({ ...request, total: 6000, lanes: 8 })
      costs.push(((cpuSeconds(pid) - before) / 6000) * 1e6)
    }
    return median(costs)
  }
  const bare = await perRequest(hello.child.pid, { url: hello.url, method: 'GET', status: 200 })
  const head = await perRequest(server.pid, {
    url: `${server.url}/${repo}/resolve/main/big.bin`,
    method: 'HEAD',
    headers: { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity' },
    status: 200,
  })
  hello.child.kill()
  const figure = head / bare
  const shown = (us) => `${us.toFixed(0)} µs`
  rows.push(
    row(
      'HEAD resolve, CPU per request',
      shown(head),
      `bare Hono hello ${shown(bare)}`,
      figure,
      '≤ 3.5 ×',
      figure <= 3.5,
    ),
  )
}

async function nginx(root) {
  const port = await freePort()
  const conf = join(dir, 'nginx.conf')
  await write(
    conf,
    `${process.getuid() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${dir}/nginx.pid; error_log stderr error;
     events { worker_connections 64; }
     http { access_log off; sendfile on; server { listen 127.0.0.1:${port}; root ${root}; } }`,
  )
  const child = spawn('nginx', ['-c', conf, '-p', dir], { stdio: 'inherit' })
  await pause(500)
  return { child, url: `http://127.0.0.1:${port}` }
}

async function download(server, repo, token, file) {
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
  rows.push(
    row(
      '1 GiB GET',
      mbps(gibibyte, median(ours)),
      `nginx sendfile ${mbps(gibibyte, median(theirs))}`,
      figure,
      '≥ 0.85 ×',
      figure >= 0.85,
    ),
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

async function upload(hub, repo, file) {
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
  rows.push(
    row(
      'LFS upload with hashing',
      mbps(gibibyte, median(put)),
      `${name} ${mbps(gibibyte, slower)}`,
      figure,
      '≥ 0.85 ×',
      figure >= 0.85,
    ),
  )
}

async function bigFolder(hub, repo) {
  await hub.create(repo)
  const files = Array.from({ length: 10_000 }, (_, i) =>
    textFile(`f${String(i).padStart(5, '0')}.txt`, `file ${i}\n`),
  )
  for (let i = 0; i < files.length; i += 2500) await hub.commit(repo, `part ${i}`, files.slice(i, i + 2500))
}

async function commits(hub, repo) {
  const bare = join(dir, 'git', 'ref.git')
  const work = join(dir, 'work')
  await mkdir(join(dir, 'git'), { recursive: true })
  await run('git', ['init', '-q', '--bare', '-b', 'main', bare])
  await run('git', ['-C', bare, 'config', 'http.receivepack', 'true'])
  const backend = await helper('git-http-backend.mjs', join(dir, 'git'))
  await run('git', ['init', '-q', '-b', 'main', work])
  for (let i = 0; i < 10_000; i++)
    await write(join(work, `f${String(i).padStart(5, '0')}.txt`), `file ${i}\n`)
  const git = (...args) =>
    run('git', ['-C', work, '-c', 'user.name=b', '-c', 'user.email=b@localhost', ...args])
  await git('add', '-A')
  await git('commit', '-qm', 'all')
  await git('push', '-q', `${backend.url}/ref.git`, 'main')
  const pushes = []
  const ours = []
  for (let i = 0; i < 15; i++) {
    await write(join(work, 'f05000.txt'), `changed ${i}\n`)
    await git('commit', '-qam', `change ${i}`)
    pushes.push(await seconds(() => git('push', '-q', `${backend.url}/ref.git`, 'main')))
    ours.push(
      await seconds(() => hub.commit(repo, `change ${i}`, [textFile('f05000.txt', `changed ${i}\n`)])),
    )
  }
  backend.child.kill()
  const shown = (s) => `${(s * 1000).toFixed(0)} ms`
  const figure = median(ours) / median(pushes)
  rows.push(
    row(
      'one-file commit into 10 000 files',
      shown(median(ours)),
      `push to git http-backend ${shown(median(pushes))}`,
      figure,
      '≤ 1.5 ×',
      figure <= 1.5,
    ),
  )
}

async function treePage(server, repo, token) {
  const path = `/api/service/v1/repos/models/${repo}/tree/main?limit=500`
  const headers = { Authorization: `Bearer ${token}` }
  const times = []
  for (let i = 0; i < 12; i++) {
    let cursor = ''
    let total = 0
    let entries = 0
    for (let page = 0; page < 2; page++) {
      const took = await seconds(async () => {
        const answer = await fetch(
          `${server.url}${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
          { headers },
        )
        const body = await answer.json()
        if (!body.entries.every((entry) => entry.last_commit))
          throw new Error('an entry lacks its last commit')
        entries += body.entries.length
        cursor = body.next_cursor
      })
      total += took
    }
    if (entries !== 1000) throw new Error(`expected 1000 entries, got ${entries}`)
    times.push(total * 1000)
  }
  const figure = median(times)
  rows.push(
    row(
      'tree page of 1 000 of 10 000, with last commits',
      `${figure.toFixed(0)} ms`,
      'two pages of 500, over HTTP',
      figure,
      '≤ 40 ms',
      figure <= 40,
    ),
  )
}

async function flatMemory(server, hub, repo, token) {
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
  rows.push(
    row(
      'resident memory while 10 GiB go up and down',
      `+${figure.toFixed(0)} MiB`,
      `from ${mib(before)}`,
      figure,
      '≤ +64 MiB',
      figure <= 64,
    ),
  )
}

function table() {
  const shown = (figure) => (Number.isInteger(figure) ? String(figure) : figure.toFixed(2))
  return [
    '| What | Arsenal | Reference in the same run | Figure | Bound | Held |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.all.map(
      (r) =>
        `| ${r.what} | ${r.measured} | ${r.reference} | ${shown(r.figure)} | ${r.bound} | ${r.kept ? 'yes' : '**no**'} |`,
    ),
  ].join('\n')
}

try {
  await start()
  const server = await startServer({ 'telemetry.log_level': 'warn' })
  try {
    await idle(server)
    const person = await server.newPerson('bench')
    const token = await person.token()
    const hub = hubClient(server.url, token)
    const files = `${person.username}/files`
    await hub.create(files)
    const big = join(dir, 'big.bin')
    const oid = await writeFile(big, 1024)
    const { objects } = await hub.batch(files, [{ oid, size: gibibyte }])
    await run('curl', ['-sSf', '-T', big, objects[0].actions.upload.href])
    await hub.commit(files, 'big', [lfsFile('big.bin', oid, gibibyte)])
    await resolver(server, files, token)
    await download(server, files, token, 'big.bin')
    await upload(hub, files, big)
    const folder = `${person.username}/folder`
    await bigFolder(hub, folder)
    await commits(hub, folder)
    await treePage(server, folder, token)
    await flatMemory(server, hub, files, token)
  } finally {
    await server.stop()
  }
} finally {
  await rm(dir, { recursive: true, force: true })
}
const text = table()
console.log(text)
const page = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url))
const old = await readFile(page, 'utf8').catch(() => '')
const head =
  old.split('<!-- table -->')[0] ||
  '# Benchmarks\n\n`npm run bench` measures each figure beside its reference on the same machine in the same run.\n\n'
await write(page, `${head}<!-- table -->\n\n${text}\n`)
if (rows.all.some((r) => !r.kept)) process.exitCode = 1
