import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eachBeside } from './beside.ts'
import { Copy } from './copy.ts'
import { noting, reporting, type Reach } from './reach.ts'
import { measured, sourcesOf, testsIn } from './rooms.ts'
import { Runner } from './runner.ts'

/** By the path of the test file. */
export type Survey = Record<string, Reach>

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** What is kept from one run to the next; broken or absent it is made again. */
export function kept<T extends object>(file: string): T | Record<string, never> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : {}
}

export function keep(file: string, what: object): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(what))
}

/**
 * Runs each test file once, with notes taken of the functions that run. A file that passed the last survey and is
 * the same is left out: what it runs may have changed with the code, which costs a mutant its nearest test, never its verdict's truth.
 */
export async function surveyed(
  source: string,
  file: string,
  { beside, say }: { beside: number; say: (text: string) => void },
): Promise<Survey> {
  const survey: Survey = kept<Survey>(file)
  const copy = new Copy(source)
  const runners = Array.from({ length: beside }, () => new Runner(copy.root, 60_000))
  try {
    const tests = testsIn(copy.root).map((test) => ({ test, hash: hashOf(copy.read(test)) }))
    const present = new Set(tests.map(({ test }) => test))
    for (const test of Object.keys(survey)) if (!present.has(test)) delete survey[test]
    const stale = tests.filter(({ test, hash }) => survey[test]?.hash !== hash || !survey[test].isPassing)
    if (stale.length === 0) return survey
    for (const room of measured)
      for (const name of sourcesOf(copy.root, room)) copy.write(name, noting(name, copy.read(name)))
    const batches = Array.from({ length: Math.ceil(stale.length / batch) }, (_, i) =>
      stale.slice(i * batch, (i + 1) * batch),
    )
    let done = 0
    await eachBeside(runners, batches, async (runner, tests) => {
      Object.assign(survey, await reachOf(copy, runner, tests))
      keep(file, survey)
      say(`surveyed ${(done += tests.length)} of ${stale.length} test files\n`)
    })
    return survey
  } finally {
    for (const runner of runners) runner.close()
    copy.remove()
  }
}

/** Test files that share a process, and so the loading of the server. */
const batch = 12

interface Surveyed {
  test: string
  hash: string
}

async function reachOf(copy: Copy, runner: Runner, tests: Surveyed[]): Promise<Survey> {
  const reports = new Map(tests.map(({ test }) => [test, join(copy.root, `${hashOf(test)}.json`)]))
  for (const [test, report] of reports) copy.write(test, reporting(copy.read(test), report))
  const names = tests.map(({ test }) => test)
  const answered = await runner.run({ tests: names, isFirstEnough: false }, 120_000 * names.length)
  const answer = typeof answered === 'string' ? undefined : answered
  const survey: Survey = {}
  for (const { test, hash } of tests) {
    const report = reports.get(test)!
    const places = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as string[]) : []
    const isPassing = answer !== undefined && !answer.failed.includes(test)
    survey[test] = { hash, places, isPassing, durationMs: answer?.durationsMs[test] ?? 0 }
  }
  return survey
}
