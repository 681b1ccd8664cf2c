// The audit log of a million rows, exported and verified: by a command and by a server, on both databases.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mainJs, startServer } from '../fixtures/server.mjs'
import { onEngines } from './engines.mjs'
import { mib, row, run } from './measure.mjs'

/** Enough for the heap to have grown to what it likes: it collects late what each batch leaves behind. */
const few = 50_000
const many = 1_000_000
const fill = fileURLToPath(new URL('fill-audit.ts', import.meta.url))

/** The most memory that a process has taken (proc(5), VmHWM); `undefined` once it has ended. */
function peakBytes(pid) {
  try {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return line ? Number(line[1]) * 1024 : undefined
  } catch {
    return undefined
  }
}

/** Counts the lines of a stream of bytes and reads the last one. */
async function readLines(stream) {
  let [lines, rest] = [0, '']
  let last = ''
  for await (const chunk of stream) {
    const parts = (rest + Buffer.from(chunk).toString('latin1')).split('\n')
    rest = parts.pop()
    lines += parts.length
    last = parts.at(-1) ?? last
  }
  return { lines, last }
}

/** Every row is there, in order, with its seal. */
function check({ lines, last }, rows) {
  const { seal } = JSON.parse(last)
  if (lines !== rows || seal.seq !== rows) throw new Error(`${lines} rows, the last one number ${seal.seq}`)
}

async function byCommand(words, flags, read) {
  const child = spawn(process.execPath, [mainJs, ...words, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, peakBytes(child.pid) ?? 0)), 10)
  const closed = once(child, 'close')
  const answer = await read(child.stdout)
  const [code] = await closed
  clearInterval(watch)
  if (code !== 0) throw new Error(`${words.join(' ')}: ${code}`)
  return { answer, peak }
}

/** Peaks of the four ways to read the whole log while it has `rows` rows. */
async function peaks({ settings, options }, rows) {
  const server = await startServer(settings, options)
  const { flags } = server
  const found = {}
  try {
    const admin = await server.login()
    // Nothing but the export counts: proc(5), "5" sets VmHWM to what is resident now.
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
    const from = new Date(0).toISOString()
    const to = new Date(Date.now() - 3_000_000).toISOString()
    const address = `${server.url}/api/service/v1/admin/audit/export?from=${from}&to=${to}`
    const answer = await fetch(address, { headers: { Cookie: admin.cookie() } })
    check(await readLines(answer.body), rows)
    found.api = peakBytes(server.pid)
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
    const chain = await admin.native('GET', '/admin/audit/chain')
    if (chain.fault_count !== 0 || chain.checked < rows) throw new Error(JSON.stringify(chain))
    found.page = peakBytes(server.pid)
  } finally {
    await server.stop()
  }
  const to = new Date(Date.now() - 3_000_000).toISOString()
  const exported = await byCommand(['audit', 'export', '--to', to], flags, readLines)
  check(exported.answer, rows)
  found.command = exported.peak
  found.verify = (await byCommand(['audit', 'verify'], flags, readLines)).peak
  return found
}

const names = {
  command: '`audit export` of 1 000 000 rows',
  api: 'the same by the API',
  verify: '`audit verify` of 1 000 000 rows',
  page: 'the same by the API',
}

/** Each figure is the peak of resident memory beyond what the same work takes with 50 000 rows. The log has 430 MB. */
export async function* auditRows(dir) {
  for await (const { name, url, ...place } of onEngines(join(dir, 'audit'))) {
    // Makes the tables.
    await (await startServer(place.settings, place.options)).stop()
    const found = {}
    for (const rows of [few, many]) {
      await run('node_modules/.bin/tsx', [fill, url, String(rows)])
      found[rows] = await peaks(place, rows)
    }
    for (const [way, what] of Object.entries(names)) {
      const figure = (found[many][way] - found[few][way]) / 2 ** 20
      yield row(
        `${what}, ${name}`,
        mib(found[many][way]),
        `50 000 rows ${mib(found[few][way])}`,
        figure,
        '≤ +96 MiB',
        figure <= 96,
      )
    }
  }
}
