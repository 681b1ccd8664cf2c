// The viewer of datasets: pages of rows and filters over five million rows, and the conversion of a gigabyte of CSV, each
// against DuckDB by itself on the same files. ARSENAL_BENCH_ROWS measures fewer rows, to see that it works.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startServer } from '../fixtures/server.mjs'
import { median, row, run, seconds } from './measure.mjs'
import { hubClient, lfsFile } from './seed.mjs'

const rows = Number(process.env['ARSENAL_BENCH_ROWS'] ?? 5_000_000)
/** Rows of this make 1 GB of CSV. */
const csvRows = Math.round(rows * 2.2)
const rounds = 15
const CONVERSIONS = 5
const ms = (s) => `${(s * 1000).toFixed(0)} ms`
const millions = `${rows / 1e6} million rows`

const columns = `range AS id, 'word ' || (range * 7919 % 100003) AS word, (range * 31 % 100000) / 7.0 AS score,
  'text of some length that says nothing ' || range AS text, range % 2 = 0 AS even`

/** A program of its own, as the command line of DuckDB is one: threads and settings are those of the engine alone. */
const script = `
import { createRequire } from 'node:module'
const { DuckDBInstance } = createRequire(process.argv[2])('@duckdb/node-api')
const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()
const times = []
for (let i = 0; i < Number(process.argv[3]); i++) {
  const start = performance.now()
  await (await connection.runAndReadAll(process.argv[4])).getRowObjectsJson()
  times.push((performance.now() - start) / 1000)
}
console.log(JSON.stringify(times))
`

/** Rows for the table. */
export async function* datasetRows(dir) {
  const folder = join(dir, 'datasets')
  await mkdir(folder)
  const file = join(folder, 'duck.mjs')
  await writeFile(file, script)
  const api = new URL('../../api/package.json', import.meta.url).pathname
  const duck = async (sql, times = rounds) =>
    JSON.parse((await run(process.execPath, [file, api, String(times), sql])).stdout)
  const server = await startServer()
  try {
    const person = await server.newPerson('bench')
    const place = { folder, server, person, token: await person.token(), duck }
    yield* await reads(place)
    yield await conversion(place)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

/** A dataset of one file, once it is converted; answers its name and the seconds that its job took. */
export async function given({ server, person, token }, name, path, file) {
  const hub = hubClient(server.url, token, 'dataset')
  const repo = `${person.username}/${name}`
  const { size } = await stat(file)
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  const oid = hash.digest('hex')
  await hub.create(repo)
  const { objects } = await hub.batch(repo, [{ oid, size }])
  // None where the person has another repo with this content.
  const upload = objects[0].actions?.upload
  if (upload) await run('curl', ['-sSf', '-T', file, upload.href])
  // What the disk still has to write of these files would be counted as time of the conversion.
  await run('sync', [])
  await hub.commit(repo, 'add', [lfsFile(path, oid, size)])
  for (;;) {
    const found = await person.native('GET', `/repos/datasets/${repo}/configs`)
    if (found.converted_commit === found.commit) {
      if (!['ready', 'partial'].includes(found.status)) throw new Error(JSON.stringify(found))
      const job = await person.native('GET', `/jobs/${found.job_id}`)
      // The export lands a moment before its job ends.
      if (!job.finished_at) continue
      return { repo, size, seconds: (Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1000 }
    }
    await pause(200)
  }
}

async function* reads(place) {
  const { folder, server, token, duck } = place
  const file = join(folder, 'rows.parquet')
  await duck(
    `COPY (SELECT ${columns} FROM range(${rows})) TO '${file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 10240)`,
    1,
  )
  const { repo } = await given(place, 'rows', 'data/train.parquet', file)
  const ask = async (endpoint, params) => {
    const query = new URLSearchParams({ dataset: repo, config: 'default', split: 'train', ...params })
    for (;;) {
      const answer = await fetch(`${server.url}/viewer-api/${endpoint}?${query}`, {
        headers: { Authorization: `Bearer ${token}` },
      })
      if (answer.status === 200) return answer.json()
      if (answer.headers.get('x-error-code') !== 'ResponseNotReady') throw new Error(await answer.text())
      await pause(100)
    }
  }
  const offset = Math.floor(rows / 2)
  const times = []
  for (let i = 0; i < rounds; i++) {
    const page = { offset: String(offset + i * 100), length: '100' }
    times.push(
      await seconds(async () => {
        const { rows: found } = await ask('rows', page)
        if (found.length !== 100) throw new Error(`a page of ${found.length}`)
      }),
    )
  }
  const own = median(await duck(`SELECT * FROM read_parquet('${file}') LIMIT 100 OFFSET ${offset}`))
  const page = median(times)
  const pageBound = own * 2 + 0.015
  yield row(
    `/rows, 100 in the middle of ${millions}`,
    ms(page),
    `DuckDB alone ${ms(own)}`,
    page / pageBound,
    '≤ 1 of 2 × + 15 ms',
    page <= pageBound,
  )

  const filters = []
  // Another filter each time: what is counted once is kept.
  for (let i = 0; i < rounds; i++) {
    const where = `"score" > ${14_200 + i} AND "even" = true`
    filters.push(await seconds(() => ask('filter', { where, offset: '0', length: '100' })))
  }
  const from = `FROM read_parquet('${file}', file_row_number = true) WHERE score > 14200 AND even`
  const [pages, counts] = [
    median(await duck(`SELECT * ${from} ORDER BY file_row_number LIMIT 100`)),
    median(await duck(`SELECT count(*) ${from}`)),
  ]
  const filter = median(filters)
  yield row(
    `/filter over ${millions}`,
    ms(filter),
    `DuckDB alone ${ms(pages + counts)}: its page and its count`,
    filter / (pages + counts),
    '≤ 1.3',
    filter <= 1.3 * (pages + counts),
  )
}

async function conversion(place) {
  const { folder, duck } = place
  const file = join(folder, 'data.csv')
  await duck(`COPY (SELECT ${columns} FROM range(${csvRows})) TO '${file}' (FORMAT csv, HEADER)`, 1)
  const [owns, conversions] = [[], []]
  let bytes = 0
  for (let i = 0; i < CONVERSIONS; i++) {
    const { size, seconds: taken } = await given(place, `csv-${i}`, 'data.csv', file)
    bytes = size
    conversions.push(taken)
    const copy = join(folder, 'copy.parquet')
    await run('sync', [])
    const sql = `COPY (SELECT * FROM read_csv('${file}')) TO '${copy}' (FORMAT parquet, COMPRESSION zstd)`
    owns.push(...(await duck(sql, 1)))
  }
  const [own, taken] = [median(owns), median(conversions)]
  const rate = (s) => `${(bytes / 1e6 / s).toFixed(0)} MB/s`
  return row(
    `conversion of ${(bytes / 1e9).toFixed(2)} GB of CSV`,
    rate(taken),
    `COPY of DuckDB alone ${rate(own)}`,
    own / taken,
    '≥ 0.7',
    own / taken >= 0.7,
  )
}
