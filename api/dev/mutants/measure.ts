import { eachBeside } from './beside.ts'
import { chosenTests, type Budget } from './choose.ts'
import { Copy } from './copy.ts'
import { mutated, type Mutant } from './mutants.ts'
import { importersOf } from './reach.ts'
import { Runner } from './runner.ts'
import type { Answered, Asked, Failure } from './session.ts'
import { hashOf, keep, kept, type Survey } from './survey.ts'
import { holds, isCaught, type Verdict, type Verdicts } from './verdicts.ts'

/** A test that takes longer with a fault in the code hangs: what waits for ever is ended by Vitest, which names it. */
const patienceMs = 30_000
/** What a run may take beyond thrice what its tests take: an endless loop holds the whole process. */
const graceMs = 30_000

/** Every so many catches of a test it must pass without a fault. */
const controlEvery = 10

export interface Measuring {
  source: string
  survey: Survey
  /** Where verdicts are kept from one run to the next. */
  file: string
  budget: Budget
  /** How many faults at the same time. */
  beside: number
  say: (text: string) => void
}

/** Makes each fault in turn in a copy of the repository, runs the tests that may notice, and answers what became of it. */
export async function measure(mutants: Mutant[], measuring: Measuring): Promise<Verdicts> {
  const verdicts: Verdicts = kept<Verdicts>(measuring.file)
  const catches = new Map<string, number>()
  const benches = Array.from({ length: measuring.beside }, () => new Bench(measuring, catches))
  let done = 0
  try {
    await eachBeside(benches, mutants, async (bench, mutant) => {
      const isKnown = bench.isDecided(verdicts[mutant.id], mutant)
      if (!isKnown) {
        verdicts[mutant.id] = await bench.verdictOn(mutant)
        keep(measuring.file, verdicts)
      }
      const what = `${++done}/${mutants.length} ${line(mutant, verdicts[mutant.id]!)}`
      measuring.say(`${what}${isKnown ? ', as before' : ''}\n`)
    })
    return verdicts
  } finally {
    for (const bench of benches) bench.close()
  }
}

/** A copy of the repository and a session that runs tests in it. */
class Bench {
  readonly #measuring: Measuring
  readonly #copy: Copy
  readonly #runner: Runner
  /** How many faults each test file has noticed, on all benches. */
  readonly #catches: Map<string, number>

  constructor(measuring: Measuring, catches: Map<string, number>) {
    this.#measuring = measuring
    this.#catches = catches
    this.#copy = new Copy(measuring.source)
    this.#runner = new Runner(this.#copy.root, patienceMs)
  }

  close(): void {
    this.#runner.close()
    this.#copy.remove()
  }

  #testsFor(mutant: Mutant): string[] {
    const { survey, budget } = this.#measuring
    return chosenTests(mutant, survey, (of, all) => importersOf(this.#copy, of, all), budget)
  }

  isDecided(verdict: Verdict | undefined, mutant: Mutant): boolean {
    return holds(verdict, mutant, this.#testsFor(mutant), (name) => this.#copy.read(name))
  }

  async verdictOn(mutant: Mutant): Promise<Verdict> {
    const began = performance.now()
    const tests = this.#testsFor(mutant)
    const source = this.#copy.read(mutant.file)
    const verdict = (outcome: Verdict['outcome'], deciding = tests, by?: string): Verdict => {
      const hashes = deciding.map((name) => [name, hashOf(this.#copy.read(name))])
      const ms = Math.round(performance.now() - began)
      return { outcome, ...(by && { by }), source: hashOf(source), tests: Object.fromEntries(hashes), ms }
    }
    if (tests.length === 0) return verdict('unreached')
    for (const asked of this.#questions(tests)) {
      const noticed = await this.#noticed(mutant, asked, source)
      if (!noticed) continue
      if (typeof noticed === 'string') return verdict(noticed)
      if (!(await this.#isReliable(noticed, asked))) return this.verdictOn(mutant)
      return verdict('caught', [noticed.file], `${noticed.file}: ${noticed.name}`)
    }
    return verdict('survived')
  }

  /** All on SQLite, where most faults show; then what has a world, on Postgres. */
  #questions(tests: string[]): Asked[] {
    const onBoth = tests.filter((test) => /\beach(Database|Store)\(/.test(this.#copy.read(test)))
    const postgres = { tests: onBoth, isFirstEnough: true, isOnPostgres: true }
    return [{ tests, isFirstEnough: true }, ...(onBoth.length > 0 ? [postgres] : [])]
  }

  /** What the tests notice of the fault. What a busy machine may be to blame for counts when it comes twice. */
  async #noticed(
    mutant: Mutant,
    asked: Asked,
    source: string,
  ): Promise<Failure | 'hung' | 'died' | undefined> {
    for (let { tests } = asked; tests.length > 0;) {
      const answered = await this.#ran(mutant, { ...asked, tests }, source)
      if (typeof answered === 'string') return answered
      const { failure } = answered
      if (!failure || !isDoubtful(failure)) return failure
      const again = await this.#ran(mutant, { ...asked, tests: [failure.file] }, source)
      if (typeof again === 'string') return again
      if (again.failure) return again.failure
      this.#measuring.say(`${failure.file} failed once alone: ${failure.reason}\n`)
      tests = tests.filter((test) => test !== failure.file)
    }
    return undefined
  }

  /**
   * What came of the tests with the fault. That they hang or their process ends counts only where they pass without
   * the fault in the same time; else the time is doubled, as a busy machine may be to blame.
   */
  async #ran(mutant: Mutant, asked: Asked, source: string): Promise<Answered | 'hung' | 'died'> {
    const expectedMs = asked.tests.reduce(
      (sum, test) => sum + (this.#measuring.survey[test]?.durationMs ?? 0),
      0,
    )
    for (let limitMs = graceMs + 3 * expectedMs; ; limitMs *= 2) {
      const answered = await this.#ranOnce(mutant, asked, source, limitMs)
      if (typeof answered === 'object') return answered
      const without = await this.#runner.run(asked, limitMs)
      if (typeof without === 'object' && !without.failure) return answered
      this.#measuring.say(`${mutant.file}:${mutant.line} ${answered}, and so without a fault: again\n`)
    }
  }

  async #ranOnce(mutant: Mutant, asked: Asked, source: string, limitMs: number) {
    try {
      this.#copy.write(mutant.file, mutated(source, mutant))
      return await this.#runner.run({ ...asked, changed: mutant.file }, limitMs)
    } finally {
      this.#copy.write(mutant.file, source)
    }
  }

  /**
   * Whether a test file that noticed a fault passes without one: asked at its first catch, at every tenth, and when a busy
   * machine may be to blame. One that fails is asked no more.
   */
  async #isReliable(failure: Failure, { isOnPostgres = false }: Asked): Promise<boolean> {
    const { file: test } = failure
    const catches = this.#catches.get(test) ?? 0
    this.#catches.set(test, catches + 1)
    if (catches % controlEvery !== 0 && !isDoubtful(failure)) return true
    const answered = await this.#runner.run({ tests: [test], isFirstEnough: true, isOnPostgres }, 300_000)
    if (typeof answered === 'object' && !answered.failure) return true
    this.#measuring.survey[test]!.isPassing = false
    const why = typeof answered === 'object' ? answered.failure?.reason : answered
    this.#measuring.say(`${test} fails without a fault and is left out: ${why}\n`)
    return false
  }
}

/** A test that took too long, or an error that no test is the place of. */
const isDoubtful = ({ name, reason }: Failure) => reason.includes('timed out') || name === 'outside the tests'

function line({ file, line: at, kind, original }: Mutant, verdict: Verdict): string {
  const words = original.replace(/\s+/g, ' ').slice(0, 60)
  const by = isCaught(verdict) ? (verdict.by ?? '') : ''
  return `${verdict.outcome} ${(verdict.ms / 1000).toFixed(1)} s ${file}:${at} ${kind}: ${words} ${by && `(${by})`}`
}
