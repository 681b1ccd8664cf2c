// Clones, pushes and fetches against git's own CGI program behind lighttpd; and commits on both databases.
import { spawn } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureLighttpd } from '../../api/dev/toolchain/lighttpd.mjs'
import { startPostgres } from '../../api/dev/toolchain/postgres.mjs'
import { freePort, startServer } from '../fixtures/server.mjs'
import { median, row, run, seconds } from './measure.mjs'
import { hubClient, textFile } from './seed.mjs'
import { startWatched } from './watched.mjs'

const rounds = 7
const ms = (s) => `${(s * 1000).toFixed(0)} ms`

/** 10 000 files in 200 folders, 1000 commits of two files each. */
function history() {
  const said = (text) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const put = (i, text) => `M 100644 inline ${i % 200}/file-${i}.txt\n${said(text)}`
  const commit = (n, changes) =>
    `commit refs/heads/main\ncommitter b <b@localhost> ${1_700_000_000 + n} +0000\n${said(`step ${n}`)}${changes}`
  const all = Array.from({ length: 10_000 }, (_, i) => put(i, `file ${i}, ${'some words '.repeat(i % 20)}`))
  const steps = [commit(0, all.join(''))]
  for (let n = 1; n < 1000; n++)
    steps.push(commit(n, put((n * 7) % 10_000, `step ${n}`) + put((n * 13) % 10_000, `also ${n}`)))
  return steps.join('')
}

async function seeded(dir) {
  const work = join(dir, 'history')
  const stream = join(dir, 'stream')
  await writeFile(stream, history())
  await run('git', ['init', '-q', '-b', 'main', work])
  await run('sh', ['-c', `git -C ${work} fast-import --quiet < ${stream}`])
  await run('git', ['-C', work, 'checkout', '-q', 'main'])
  await rm(stream)
  return work
}

/** A bare repository that `root` serves by `git http-backend`; answers its address. */
async function reference(dir, work) {
  await ensureLighttpd()
  const root = join(dir, 'reference')
  const bare = join(root, 'ref.git')
  await run('git', ['clone', '-q', '--bare', work, bare])
  await run('git', ['-C', bare, 'config', 'http.receivepack', 'true'])
  await run('git', ['-C', bare, 'repack', '-adq'])
  const port = await freePort()
  const { stdout } = await run('git', ['--exec-path'])
  const config = [
    'server.modules = ("mod_alias", "mod_cgi", "mod_setenv")',
    `server.document-root = "${root}"`,
    `server.port = ${port}`,
    'server.bind = "127.0.0.1"',
    `alias.url = ("/git" => "${stdout.trim()}/git-http-backend")`,
    '$HTTP["url"] =~ "^/git" { cgi.assign = ("" => "") }',
    `setenv.add-environment = ("GIT_PROJECT_ROOT" => "${root}", "GIT_HTTP_EXPORT_ALL" => "1", "REMOTE_USER" => "b")`,
  ]
  const file = join(dir, 'lighttpd.conf')
  await writeFile(file, config.join('\n'))
  const server = spawn('lighttpd', ['-D', '-f', file], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}/git/ref.git`
  while (!(await answers(`${url}/info/refs?service=git-upload-pack`))) await pause(50)
  return { url, stop: () => server.kill() }
}

const answers = (url) =>
  fetch(url).then(
    async (answer) => answer.text().then(() => true),
    () => false,
  )

/** Turn about; the figure is the median of the rounds' ratios. */
async function compare(what, most, ours, theirs) {
  const taken = []
  for (let i = 0; i < rounds; i++) {
    const them = await seconds(() => theirs(i))
    taken.push({ us: await seconds(() => ours(i)), them })
  }
  const figure = median(taken.map(({ us, them }) => us / them))
  const of = (who) => ms(median(taken.map((each) => each[who])))
  return row(what, of('us'), `git http-backend ${of('them')}`, figure, `≤ ${most} ×`, figure <= most)
}

/** Waits for the job that packs a large repo with a bitmap after its first push, as `git repack` did for the reference. */
async function packed({ dir }) {
  const blobs = join(dir, 'blobs', 'git')
  for (let names = []; !names.some((name) => name.endsWith('.bitmap')); await pause(50))
    names = await readdir(blobs, { recursive: true })
  // The bitmap is written before the pack is live.
  await pause(1000)
}

async function measureGit(dir, { work, urls: { ours, theirs } }) {
  const clone = (url) => async () => {
    const folder = join(dir, 'clone')
    await run('git', ['clone', '-q', '--bare', url, folder])
    await rm(folder, { recursive: true })
  }
  const git = (...args) =>
    run('git', ['-C', work, '-c', 'user.name=b', '-c', 'user.email=b@localhost', ...args])
  const push = (url, who) => async (i) => {
    await git('push', '-q', url, `HEAD~${rounds - i - 1}:refs/heads/${who}`)
  }
  const rows = [await compare('clone of 10 000 files, 1000 commits', 1.2, clone(ours), clone(theirs))]
  const bare = join(dir, 'fetched')
  await run('git', ['clone', '-q', '--bare', theirs, bare])
  const fetch = (url) => () => run('git', ['-C', bare, 'fetch', '-q', url, 'main'])
  rows.push(await compare('fetch of nothing new', 1, fetch(ours), fetch(theirs)))
  for (let i = 0; i < rounds; i++) {
    await writeFile(join(work, '7', 'file-7.txt'), `pushed ${i}\n`)
    await git('commit', '-qam', `push ${i}`)
  }
  rows.push(await compare('push of one commit', 1.2, push(ours, 'pushed'), push(theirs, 'pushed')))
  return rows
}

/** Four clones at once, three times over. */
async function lateness(dir, url, loopDelay) {
  await loopDelay()
  for (let i = 0; i < 3; i++)
    await Promise.all(
      [1, 2, 3, 4].map(async (n) => {
        const folder = join(dir, `four-${n}`)
        await run('git', ['clone', '-q', '--bare', url, folder])
        await rm(folder, { recursive: true })
      }),
    )
  const { p99, max } = await loopDelay()
  const shown = `${p99.toFixed(0)} ms`
  return row(
    'event loop late during four clones, p99',
    shown,
    `at most ${max.toFixed(0)} ms`,
    p99,
    '≤ 50 ms',
    p99 <= 50,
  )
}

/** Rows about git over HTTP. */
export async function* gitRows(dir) {
  const folder = join(dir, 'git-rows')
  await mkdir(folder)
  const work = await seeded(folder)
  const backend = await reference(folder, work)
  const { server, loopDelay } = await startWatched(folder)
  try {
    const person = await server.newPerson('bench')
    const token = await person.token()
    await person.native('POST', '/repos', {
      type: 'model',
      ns: person.username,
      name: 'git',
      visibility: 'public',
    })
    const ours = `${server.url}/${person.username}/git`.replace('://', `://${person.username}:${token}@`)
    await run('git', ['-C', work, 'push', '-q', '-f', ours, 'main'])
    await packed(server)
    yield* await measureGit(folder, { work, urls: { ours, theirs: backend.url } })
    yield await lateness(folder, ours, loopDelay)
  } finally {
    await server.stop()
    backend.stop()
  }
}

/** A one-file commit on Postgres beside one on SQLite, both durable. */
export async function databases() {
  const postgres = await startPostgres({ isDurable: true })
  const quiet = { 'telemetry.log_level': 'warn' }
  const servers = [await startServer(quiet)]
  try {
    servers.push(await startServer({ ...quiet, 'database.driver': 'postgres', 'database.dsn': postgres.url }))
    const committers = await Promise.all(servers.map(committerOf))
    const taken = []
    for (let i = 0; i < 40; i++) {
      const [sqlite, onPostgres] = [
        await seconds(() => committers[0](i)),
        await seconds(() => committers[1](i)),
      ]
      if (i >= 10) taken.push({ sqlite, onPostgres })
    }
    const figure = median(taken.map(({ sqlite, onPostgres }) => onPostgres / sqlite))
    const of = (which) => ms(median(taken.map((each) => each[which])))
    return row(
      'commit on Postgres',
      of('onPostgres'),
      `on SQLite ${of('sqlite')}`,
      figure,
      '≤ 2 ×',
      figure <= 2,
    )
  } finally {
    for (const server of servers) await server.stop()
    await postgres.stop()
  }
}

async function committerOf(server) {
  const person = await server.newPerson('bench')
  const hub = hubClient(server.url, await person.token())
  const repo = `${person.username}/small`
  await hub.create(repo)
  return (i) => hub.commit(repo, `change ${i}`, [textFile('file.txt', `changed ${i}\n`)])
}
