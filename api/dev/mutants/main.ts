/*
 * npm run test:mutants: makes small faults in the code, one at a time, and counts how many of them the tests notice.
 *   --room <folder>[,<folder>]   these rooms alone; without it all, and docs/mutants.md is written
 *   --count <n>                  faults per room (37: 407 in all)
 *   --seed <text>                another draw
 *   --tests <seconds>            how much of other tests' time is spent on a fault (25)
 *   --beside <n>                 how many faults are tested at the same time, each in a copy of its own (2)
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measure } from './measure.ts'
import { drawn, mutantsOf, type Mutant } from './mutants.ts'
import { writePage, type Room } from './page.ts'
import { measured, sourcesOf } from './rooms.ts'
import { surveyed } from './survey.ts'
import { isCaught } from './verdicts.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
const say = (text: string) => process.stdout.write(text)
const cache = (name: string) => join(root, '.cache', 'mutants', name)

function asked() {
  const { values } = parseArgs({
    options: {
      room: { type: 'string' },
      count: { type: 'string', default: '37' },
      seed: { type: 'string', default: 'arsenal' },
      tests: { type: 'string', default: '25' },
      beside: { type: 'string', default: '2' },
    },
  })
  const rooms = values.room?.split(',') ?? measured
  const strange = rooms.find((room) => !measured.includes(room))
  if (strange) throw new UsageError(`${strange} is not measured; rooms: ${measured.join(', ')}`)
  const [count, seconds, beside] = [values.count, values.tests, values.beside].map(Number) as [
    number,
    number,
    number,
  ]
  if (!(Number.isSafeInteger(count) && count > 0)) throw new UsageError('--count is a whole number above 0')
  if (!(seconds > 0)) throw new UsageError('--tests is a number of seconds above 0')
  if (!(Number.isSafeInteger(beside) && beside > 0))
    throw new UsageError('--beside is a whole number above 0')
  return { rooms, count, seed: values.seed, beside, budget: { testsMs: seconds * 1000, files: 25 } }
}

const draw = (room: string, count: number, seed: string): { all: Mutant[]; drawn: Mutant[] } => {
  const all = sourcesOf(root, room).flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
  return { all, drawn: drawn(all, count, seed) }
}

/** What the caller must change; shown without a stack. */
class UsageError extends Error {}

interface Server {
  stop(): Promise<void>
}
interface Toolchain {
  ensureVersitygw(): Promise<string>
  startS3(programs: { versitygw: string }): Promise<Server & { urls: string }>
  startPostgres(): Promise<Server & { url: string }>
}
const toolchain = (name: string) =>
  import(new URL(`../toolchain/${name}.mjs`, import.meta.url).href) as Promise<Toolchain>

/** A real S3 server and a real Postgres, which the tests of the session find by the environment. */
async function startServers(): Promise<Server[]> {
  const [s3, postgres] = await Promise.all([toolchain('s3'), toolchain('postgres')])
  const bucket = await s3.startS3({ versitygw: await s3.ensureVersitygw() })
  const database = await postgres.startPostgres()
  process.env['ARSENAL_TEST_S3'] = bucket.urls
  process.env['ARSENAL_TEST_POSTGRES'] = database.url
  return [bucket, database]
}

async function run() {
  const wanted = asked()
  const servers = await startServers()
  try {
    await measureAll(wanted)
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function measureAll({ rooms, count, seed, beside, budget }: ReturnType<typeof asked>) {
  const survey = await surveyed(root, cache('survey.json'), { beside, say })
  const results: Room[] = []
  for (const name of rooms) {
    const mutants = draw(name, count, seed)
    say(`\n── ${name}: ${mutants.drawn.length} of ${mutants.all.length} ──\n`)
    const file = cache(`${name.replace('/', '-')}.json`)
    const verdicts = await measure(mutants.drawn, { source: root, survey, file, budget, beside, say })
    const room = { name, possible: mutants.all.length, mutants: mutants.drawn, verdicts }
    const caught = room.mutants.filter(({ id }) => isCaught(verdicts[id]!)).length
    say(`${name}: ${caught} of ${room.mutants.length} caught\n`)
    results.push(room)
  }
  if (rooms.length === measured.length) writePage(root, inOrder(results), { seed, budget, of: measuredNow() })
}

const inOrder = (rooms: Room[]) =>
  rooms.toSorted((a, b) => measured.indexOf(a.name) - measured.indexOf(b.name))

/** Which day it is, and what the working tree is made of. */
function measuredNow(): { date: string; commit: string } {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const date = new Date().toISOString().slice(0, 10)
  return { date, commit: git('describe', '--always', '--dirty=, with changes', '--exclude=*') }
}

// Ends what was started and removes the copy.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

try {
  await run()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
