/*
 * npm run test:mutants: makes small faults in the code, one at a time, and counts how many of them the tests notice.
 *   --room <folder>[,<folder>]   these rooms alone; without it all, and docs/mutants.md is written
 *   --count <n>                  faults per room (37: 407 in all)
 *   --seed <text>                another draw
 *   --tests <seconds>            how much of other tests' time is spent on a fault (25)
 */
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
    },
  })
  const rooms = values.room?.split(',') ?? measured
  const strange = rooms.find((room) => !measured.includes(room))
  if (strange) throw new UsageError(`${strange} is not measured; rooms: ${measured.join(', ')}`)
  const [count, seconds] = [Number(values.count), Number(values.tests)]
  if (!(Number.isSafeInteger(count) && count > 0)) throw new UsageError('--count is a whole number above 0')
  if (!(seconds > 0)) throw new UsageError('--tests is a number of seconds above 0')
  return { rooms, count, seed: values.seed, budget: { testsMs: seconds * 1000, files: 25 } }
}

const draw = (room: string, count: number, seed: string): { all: Mutant[]; drawn: Mutant[] } => {
  const all = sourcesOf(root, room).flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
  return { all, drawn: drawn(all, count, seed) }
}

/** What the caller must change; shown without a stack. */
class UsageError extends Error {}

/** A real S3 server, which the tests of the session find by the environment. */
async function startBucket(): Promise<{ stop(): Promise<void> }> {
  const { ensureVersitygw, startS3 } = (await import(
    new URL('../toolchain/s3.mjs', import.meta.url).href
  )) as {
    ensureVersitygw(): Promise<string>
    startS3(programs: { versitygw: string }): Promise<{ urls: string; stop(): Promise<void> }>
  }
  const server = await startS3({ versitygw: await ensureVersitygw() })
  process.env['ARSENAL_TEST_S3'] = server.urls
  return server
}

async function run() {
  const wanted = asked()
  const bucket = await startBucket()
  try {
    await measureAll(wanted)
  } finally {
    await bucket.stop()
  }
}

async function measureAll({ rooms, count, seed, budget }: ReturnType<typeof asked>) {
  const survey = await surveyed(root, cache('survey.json'), say)
  const results: Room[] = []
  for (const name of rooms) {
    const mutants = draw(name, count, seed)
    say(`\n── ${name}: ${mutants.drawn.length} of ${mutants.all.length} ──\n`)
    const file = cache(`${name.replace('/', '-')}.json`)
    const verdicts = await measure(mutants.drawn, { source: root, survey, file, budget, say })
    const room = { name, possible: mutants.all.length, mutants: mutants.drawn, verdicts }
    const caught = room.mutants.filter(({ id }) => isCaught(verdicts[id]!)).length
    say(`${name}: ${caught} of ${room.mutants.length} caught\n`)
    results.push(room)
  }
  if (rooms.length === measured.length) writePage(root, results, { seed, budget })
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
