// `npm run bench`: every figure is a ratio to a reference measured in the same run; the table goes to docs/benchmarks.md.
// ARSENAL_BENCH=people,lists measures these groups alone, and leaves the other rows and the notes as they are.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from '../fixtures/server.mjs'
import { auditRows } from './audit.mjs'
import { chunkRows } from './chunks.mjs'
import { crowdRows } from './crowd.mjs'
import { bigFolder, commits, treePage } from './folders.mjs'
import { datasetRows } from './datasets.mjs'
import { databases, gitRows } from './git.mjs'
import { coldHeader } from './header.mjs'
import { givenInfo, givenMany, info, list, threads } from './hub.mjs'
import { startPostgres } from '../../api/dev/toolchain/postgres.mjs'
import { facets, throughput } from './lists.mjs'
import { fillPostgres } from './many.mjs'
import { run } from './measure.mjs'
import { mirrorRows } from './mirrors.mjs'
import { pageRows } from './pages.mjs'
import { peopleRows } from './people.mjs'
import { idle, start } from './processes.mjs'
import { resolver } from './resolver.mjs'
import { s3Rows } from './s3.mjs'
import { scanRows } from './scan.mjs'
import { hubClient, lfsFile, writeFile as writeRandom } from './seed.mjs'
import { uploadRows } from './plain-writer.mjs'
import { download, flatMemory } from './transfers.mjs'
import { telemetryCost } from './telemetry.mjs'
import { gibibyte, upload } from './upload.mjs'
import { startWatched } from './watched.mjs'

const dir = await mkdtemp(join(tmpdir(), 'arsenal-bench-'))
const rows = []
const notes = []

/** Keeps a figure, and what is to be said of it below the table; says it at once. */
function keep(row) {
  rows.push(row)
  if (row.note) notes.push(row.note)
  console.log(
    `${row.kept ? 'held' : 'NOT HELD'}  ${row.what}: ${row.measured} (${row.reference}) ${row.figure.toFixed(2)} ${row.bound}`,
  )
}

const shown = (figure) => (Number.isInteger(figure) ? String(figure) : figure.toFixed(2))
const lineOf = (r) =>
  `| ${r.what} | ${r.measured} | ${r.reference} | ${shown(r.figure)} | ${r.bound} | ${r.kept ? 'yes' : '**no**'} |`

/** The first cell of a line of the table. */
const whatOf = (line) => line.split('|')[1]?.trim()

/** The table with the new rows; of `old` lines, those that were not measured now stay. */
function table(old) {
  const lines = new Map(rows.map((each) => [each.what, lineOf(each)]))
  const kept = old.map((line) => {
    const what = whatOf(line)
    const now = lines.get(what)
    lines.delete(what)
    return now ?? line
  })
  return [
    '| What | Arsenal | Reference in the same run | Figure | Bound | Held |',
    '| --- | --- | --- | --- | --- | --- |',
    ...kept,
    ...lines.values(),
  ].join('\n')
}

const settings = { 'telemetry.log_level': 'warn' }

/** Measures on a server of its own over the data folder that all share. */
async function onServer(measure, more = {}) {
  const server = await startServer({ ...settings, ...more }, { dir: join(dir, 'data') })
  try {
    return await measure(server)
  } finally {
    await server.stop()
  }
}

/** As `onServer`, with the delay of the server's event loop. */
async function onWatched(measure, more = {}) {
  const watched = await startWatched(dir, { ...settings, ...more }, { dir: join(dir, 'data') })
  try {
    return await measure(watched)
  } finally {
    await watched.server.stop()
  }
}

/** A person with a repo that holds the file `big`. */
async function seed(server, big) {
  const person = await server.newPerson('bench')
  const token = await person.token()
  const hub = hubClient(server.url, token)
  const files = `${person.username}/files`
  await hub.create(files)
  const oid = await writeRandom(big, 1024)
  const { objects } = await hub.batch(files, [{ oid, size: gibibyte }])
  await run('curl', ['-sSf', '-T', big, objects[0].actions.upload.href])
  await hub.commit(files, 'big', [lfsFile('big.bin', oid, gibibyte)])
  return { token, files, folder: `${person.username}/folder`, described: `${person.username}/info` }
}

/** The same page on a Postgres of its own. */
async function facetsOnPostgres() {
  const postgres = await startPostgres({ isDurable: true })
  const more = { 'database.driver': 'postgres', 'database.dsn': postgres.url }
  try {
    const own = await onServer(async (server) => {
      const person = await server.newPerson('bench-postgres')
      const name = `${person.username}/info`
      const token = await person.token()
      await givenInfo(server, token, name)
      return { name, token }
    }, more)
    await fillPostgres(postgres.url)
    await onWatched((watched) => keepAll(facets(watched, own.token, own.name, 'Postgres')), more)
  } finally {
    await postgres.stop()
  }
}

let seeding
/** What most groups work on, made for the first of them. */
const seeded = () => (seeding ??= onServer((server) => seed(server, join(dir, 'big.bin'))))

async function keepAll(found) {
  for await (const row of found) keep(row)
}

async function basics() {
  const { token, files, folder } = await seeded()
  keep(await onServer((server) => resolver(server, files, token)))
  keep(await onServer((server) => download(server, files, token, dir, 'big.bin')))
  await onServer(async (server) => {
    const { row, note } = await upload(server, hubClient(server.url, token), files, dir)
    keep(row)
    notes.push(note)
  })
  await keepAll(
    await onServer((server) => uploadRows(server, hubClient(server.url, token), files, token, dir)),
  )
  await onServer(async (server) => {
    const hub = hubClient(server.url, token)
    await bigFolder(hub, folder)
    keep(await commits(hub, folder, dir))
  })
  const telling = { 'telemetry.log_level': 'debug' }
  keep(await onServer((server) => treePage(server, folder, token), telling))
  keep(await onServer((server) => flatMemory(server, hubClient(server.url, token), files, token, dir)))
}

async function lists() {
  const { token, described } = await seeded()
  await onWatched((watched) => keepAll(throughput(watched, token, described.split('/')[0])))
  await onServer((server) => givenInfo(server, token, described))
  await givenMany(join(dir, 'data'))
  await onServer(async (server) => {
    keep(await list(server, join(dir, 'data'), token))
    keep(await threads(server, token, described))
    keep(await info(server, token, described))
  })
  await onWatched((watched) => keepAll(facets(watched, token, described, 'SQLite')))
  await facetsOnPostgres()
}

/** All figures by group, one after the other. */
const groups = {
  start: async () => {
    keep(await start())
    keep(await idle())
  },
  basics,
  telemetry: async () => keep(await telemetryCost()),
  git: async () => {
    await keepAll(gitRows(dir))
    keep(await databases())
  },
  chunks: () => keepAll(chunkRows(dir)),
  s3: () => keepAll(s3Rows(dir)),
  scan: () => keepAll(scanRows(dir)),
  datasets: () => keepAll(datasetRows(dir)),
  header: async () => {
    const { token, described } = await seeded()
    keep(await coldHeader(onServer, join(dir, 'data'), token, described.split('/')[0]))
  },
  mirrors: () => keepAll(mirrorRows()),
  crowd: () => onServer((server) => keepAll(crowdRows(server, dir))),
  people: () => keepAll(peopleRows(dir)),
  pages: () => keepAll(pageRows(dir)),
  audit: () => keepAll(auditRows(dir)),
  // Last, for the many repos would weigh on everything else.
  lists,
}

const only = process.env['ARSENAL_BENCH']?.split(',')
const unknown = only?.filter((name) => !(name in groups)) ?? []
if (unknown.length > 0)
  throw new Error(`ARSENAL_BENCH: no group ${unknown.join(', ')}; groups: ${Object.keys(groups).join(', ')}`)

async function measureAll() {
  await mkdir(join(dir, 'data'))
  for (const [name, measure] of Object.entries(groups)) if (!only || only.includes(name)) await measure()
}

try {
  await measureAll()
} finally {
  await rm(dir, { recursive: true, force: true })
}
const page = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url))
const old = await readFile(page, 'utf8')
const [head, below = ''] = old.split('<!-- table -->')
const oldRows = below.split('\n').filter((line) => line.startsWith('| '))
const oldNotes = below.split('\n').filter((line) => !line.startsWith('|'))
const said = only ? [table(oldRows.slice(2)), oldNotes.join('\n').trim()] : [table([]), ...notes]
await writeFile(page, `${head}<!-- table -->\n\n${said.join('\n\n')}\n`)
// As every document is kept, which the lint asks for.
await run('node_modules/.bin/oxfmt', [page])
if (rows.some((row) => !row.kept)) process.exitCode = 1
