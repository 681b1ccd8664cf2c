/*
 * Runs test files whenever its parent names some, in a copy of the repository, and keeps what Vite has transformed from
 * one run to the next. A process of its own: an endless loop ends with it.
 */
import { createVitest, type TestModule } from 'vitest/node'

/** What the parent asks: run these, in this order, after this file has changed; all by path from the root. */
export interface Asked {
  changed?: string
  tests: string[]
  /** One failure is enough: what comes after it does not run. */
  isFirstEnough: boolean
  /** The tests of a world on Postgres alone; all others without it. */
  isOnPostgres?: boolean
}

/** A test that failed, or an error `outside the tests` of a file, and why. */
export interface Failure {
  file: string
  name: string
  reason: string
}

/** The first failure; undefined where all passed. */
export interface Answered {
  failure: Failure | undefined
  failed: string[]
  durationsMs: Record<string, number>
}

const root = process.argv[2] ?? ''
const patienceMs = Number(process.argv[3])

/** Runs what is asked in the order it is asked. */
class InOrder {
  shard = <T>(files: T[]) => files
  sort = <T>(files: T[]) => files
}

const vitest = await createVitest('test', {
  config: `${root}/vite.config.ts`,
  watch: false,
  project: ['api'],
  maxWorkers: 1,
  reporters: [{}],
  testTimeout: patienceMs,
  hookTimeout: patienceMs,
  sequence: { sequencer: InOrder as never },
})
await vitest.standalone()
const project = vitest.projects.find(({ name }) => name === 'api')
if (!project) throw new Error('vite.config.ts has no project api')

const relative = (path: string) => path.slice(root.length + 1)

function failureIn(modules: TestModule[]): Failure | undefined {
  for (const module of modules) {
    const file = relative(module.moduleId)
    const loading = module.errors()[0]
    if (loading) return { file, name: '', reason: loading.message }
    for (const test of module.children.allTests('failed'))
      return { file, name: test.fullName, reason: test.result().errors?.[0]?.message ?? '' }
    for (const suite of module.children.allSuites())
      for (const error of suite.errors()) return { file, name: suite.fullName, reason: error.message }
  }
  return undefined
}

/** `eachDatabase` puts the engine into the title of its tests. */
const onPostgres = /\(postgres\)/
const notOnPostgres = /^(?!.*\(postgres\))/

let lastChanged: string | undefined

async function answer({ changed, tests, isFirstEnough, isOnPostgres }: Asked): Promise<Answered> {
  vitest.setGlobalTestNamePattern(isOnPostgres ? onPostgres : notOnPostgres)
  project!.config.bail = vitest.config.bail = isFirstEnough ? 1 : 0
  // The last one is as it was again, which Vite has not noticed: it watches nothing.
  for (const file of [lastChanged, changed]) if (file) vitest.invalidateFile(`${root}/${file}`)
  lastChanged = changed
  const asked = tests.map((test) => project!.createSpecification(`${root}/${test}`))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(asked)
  const ran = testModules.filter(({ moduleId }) => tests.includes(relative(moduleId)))
  const durationsMs = Object.fromEntries(
    ran.map((module) => [relative(module.moduleId), Math.round(module.diagnostic().duration)]),
  )
  const [unhandled] = unhandledErrors as (Error & { VITEST_TEST_PATH?: string })[]
  const outside = unhandled && {
    file: unhandled.VITEST_TEST_PATH ? relative(unhandled.VITEST_TEST_PATH) : tests[0]!,
    name: 'outside the tests',
    reason: String(unhandled.message),
  }
  const failure = failureIn(ran) ?? outside
  const failed = ran.filter((module) => !module.ok()).map(({ moduleId }) => relative(moduleId))
  return { failure, failed, durationsMs }
}

process.on('message', (asked: Asked) => {
  answer(asked).then(
    (answered) => process.send?.(answered),
    (error: Error) => {
      process.stderr.write(`${error.stack}\n`)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
