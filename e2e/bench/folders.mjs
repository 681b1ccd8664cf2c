// One folder of 10 000 files: a commit into it and a page of it, against real git behind its own server.
import { mkdir, writeFile as write } from 'node:fs/promises'
import { join } from 'node:path'
import { median, row, run, seconds } from './measure.mjs'
import { helper } from './processes.mjs'
import { textFile } from './seed.mjs'

export async function bigFolder(hub, repo) {
  await hub.create(repo)
  const files = Array.from({ length: 10_000 }, (_, i) =>
    textFile(`f${String(i).padStart(5, '0')}.txt`, `file ${i}\n`),
  )
  for (let i = 0; i < files.length; i += 2500) await hub.commit(repo, `part ${i}`, files.slice(i, i + 2500))
}

export async function commits(hub, repo, dir) {
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
  return row(
    'one-file commit into 10 000 files',
    shown(median(ours)),
    `push to git http-backend ${shown(median(pushes))}`,
    figure,
    '≤ 1.5 ×',
    figure <= 1.5,
  )
}

/** The time of the handler, as the server's log tells it at `debug`; a caller's also holds its own work and what lies between. */
export async function treePage(server, repo, token) {
  const times = []
  const callers = []
  for (let i = 0; i < 12; i++) {
    const before = server.log().length
    callers.push(1000 * (await seconds(() => readTree(server, repo, token))))
    const pages = server
      .log()
      .slice(before)
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
    if (pages.length !== 2) throw new Error(`the log tells of ${pages.length} requests, not of 2`)
    times.push(pages.reduce((sum, line) => sum + JSON.parse(line).ms, 0))
  }
  const figure = median(times)
  return row(
    'tree page of 1 000 of 10 000, with last commits',
    `${figure.toFixed(0)} ms`,
    `two pages of 500; ${median(callers).toFixed(0)} ms for their caller`,
    figure,
    '≤ 40 ms',
    figure <= 40,
  )
}

/** Two pages of 500 entries, each with its last commit. */
async function readTree(server, repo, token) {
  const path = `/api/service/v1/repos/models/${repo}/tree/main?limit=500`
  const headers = { Authorization: `Bearer ${token}` }
  let cursor = ''
  let entries = 0
  for (let page = 0; page < 2; page++) {
    const answer = await fetch(`${server.url}${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, {
      headers,
    })
    const body = await answer.json()
    if (!body.entries.every((entry) => entry.last_commit)) throw new Error('an entry lacks its last commit')
    entries += body.entries.length
    cursor = body.next_cursor
  }
  if (entries !== 1000) throw new Error(`expected 1000 entries, got ${entries}`)
}
