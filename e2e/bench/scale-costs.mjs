// What a server costs over a data folder of many repos: seconds of each, by name.
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../fixtures/database.mjs'
import { median, residentBytes, seconds } from './measure.mjs'
import { linkLargeFiles, withServer } from './scale-fill.mjs'

const rounds = 60
const warmRounds = 10
/** Repos whose refs have moved since gc last looked at them. */
const moved = 500
const p95 = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]

/** Yields [name, seconds], or bytes where the name says so. */
export async function* costs(dir, { person, files }) {
  yield ['database', statSync(join(dir, 'service.db')).size]
  const starts = []
  for (let i = 0; i < 3; i++) {
    const begun = performance.now()
    await withServer(dir, async () => starts.push((performance.now() - begun) / 1000))
  }
  yield ['start', median(starts)]
  yield* await withServer(dir, (server) => pages(server, person, files))
  // The first marks what the templates hold.
  await withServer(dir, gc)
  const idle = await withServer(dir, gc)
  yield ['gc', idle]
  await setMoved(dir)
  yield ['gc, each repo that has moved', ((await withServer(dir, gc)) - idle) / moved]
  yield ['scrub', await scrub(dir)]
  yield ['fsck', await withServer(dir, (server) => sound(server, ['fsck']))]
  yield* await withServer(dir, (server) => backups(server, dir))
  // Last, since it takes as long as everything before.
  yield ['fsck --deep', await withServer(dir, (server) => sound(server, ['fsck', '--deep']))]
}

async function pages(server, { token }, files) {
  const headers = { Authorization: `Bearer ${token}` }
  const admin = await server.login()
  const json = async (path) => {
    const answer = await fetch(`${server.url}${path}`, { headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return answer.json()
  }
  const some = (lines, path) => {
    if (lines.length === 0) throw new Error(`${path} is empty`)
  }
  const list = '/api/models?filter=transformers&filter=license:mit&limit=50'
  const search = (i) => `/api/models?search=many-${1 + (i % 9)}&limit=50`
  const faceted =
    '/api/service/v1/repos?type=models&limit=50&task=text-generation&library=transformers&format=safetensors'
  const found = [
    ['list by two filters', await timed(async () => some(await json(list), list))],
    ['page with facets', await timed(async () => some((await json(faceted)).items, faceted))],
    ['search by name', await timed(async (i) => some(await json(search(i)), search(i)))],
    [
      'search of users',
      await timed(async () => some((await admin.native('GET', '/admin/users?q=k&limit=50')).items, 'users')),
    ],
    ['tree of a repo', await timed(async () => some(await json(`/api/models/${files}/tree/main`), files))],
  ]
  return [...found, ['memory', residentBytes(server.pid)]]
}

async function timed(ask) {
  const times = []
  for (let i = 0; i < rounds; i++) times.push(await seconds(() => ask(i)))
  return p95(times.slice(warmRounds))
}

/** Seconds that the newest job of a kind takes from its start to its end. */
async function jobSeconds(server, kind) {
  const admin = await server.login()
  for (;;) {
    const [job] = (await admin.native('GET', `/jobs?kind=${kind}&limit=1`)).items
    if (job?.status === 'failed') throw new Error(`${kind}: ${JSON.stringify(job.problem)}`)
    if (job?.status === 'succeeded') return (Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1000
    await sleep(200)
  }
}

async function gc(server) {
  await server.cli(['gc'])
  return jobSeconds(server, 'gc')
}

async function setMoved(dir) {
  const db = openDatabase(dir)
  await db.execute(`update git_repos set ref_seq = ref_seq + 1
    where repo_id in (select repo_id from git_repos where repo_id like '00000000-%' limit ${moved})`)
  db.close()
}

/** Reads everything in one night, as no schedule does. */
async function scrub(dir) {
  const db = openDatabase(dir)
  await db.execute({
    sql: `insert into jobs (id, kind, status, title, input, attempt, max_attempts, run_after, cancel_requested, progress_done,
      progress_unit, created_at) values ('scale-scrub', 'blob.scrub', 'queued', 'Read all', '{"all":true}', 0, 3, 0, 0, 0,
      'bytes', ?)`,
    args: [Date.now()],
  })
  db.close()
  return withServer(dir, (server) => jobSeconds(server, 'blob.scrub'))
}

/** Runs a command that has to find nothing wrong. */
async function sound(server, args) {
  let said = ''
  const took = await seconds(async () => {
    said = await server.cli(args).catch(({ stdout }) => stdout)
  })
  if (said.trim() !== '') throw new Error(`${args.join(' ')}: ${said.slice(0, 2000)}`)
  return took
}

/** A first backup that finds the large files there and reads them, and a second of what is new. */
async function backups(server, dir) {
  const place = join(dir, 'place')
  mkdirSync(place)
  linkLargeFiles(dir, place)
  try {
    const first = await seconds(() => server.cli(['backup', '--to', place]))
    const second = await seconds(() => server.cli(['backup', '--to', place, '--incremental']))
    return [
      ['backup', first],
      ['backup --incremental', second],
    ]
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
