import { chosenTests, type Budget } from './choose.ts'
import { Copy } from './copy.ts'
import { mutated, type Mutant } from './mutants.ts'
import { importersOf } from './reach.ts'
import { Runner } from './runner.ts'
import type { Answered } from './session.ts'
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
  say: (text: string) => void
}

/** Makes each fault in turn in a copy of the repository, runs the tests that may notice, and answers what became of it. */
export async function measure(mutants: Mutant[], measuring: Measuring): Promise<Verdicts> {
  const verdicts: Verdicts = kept<Verdicts>(measuring.file)
  const bench = new Bench(measuring)
  try {
    for (const [i, mutant] of mutants.entries()) {
      const isKnown = bench.isDecided(verdicts[mutant.id], mutant)
      if (!isKnown) {
        verdicts[mutant.id] = await bench.verdictOn(mutant)
        keep(measuring.file, verdicts)
      }
      const what = `${i + 1}/${mutants.length} ${line(mutant, verdicts[mutant.id]!)}`
      measuring.say(`${what}${isKnown ? ', as before' : ''}\n`)
    }
    return verdicts
  } finally {
    bench.close()
  }
}

/** A copy of the repository and a session that runs tests in it. */
class Bench {
  readonly #measuring: Measuring
  readonly #copy: Copy
  readonly #runner: Runner
  readonly #catches = new Map<string, number>()

  constructor(measuring: Measuring) {
    this.#measuring = measuring
    this.#copy = new Copy(measuring.source)
    this.#runner = new Runner(this.#copy.root, patienceMs)
  }

  close(): void {
    this.#runner.stop()
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
    const answered = await this.#ran(mutant, tests, source)
    if (typeof answered === 'string') return verdict(answered)
    const { failure } = answered
    if (!failure) return verdict('survived')
    if (failure.file && !(await this.#isReliable(failure))) return this.verdictOn(mutant)
    return verdict('caught', failure.file ? [failure.file] : tests, `${failure.file}: ${failure.name}`)
  }

  async #ran(mutant: Mutant, tests: string[], source: string): Promise<Answered | 'hung' | 'died'> {
    const expectedMs = tests.reduce((sum, test) => sum + (this.#measuring.survey[test]?.durationMs ?? 0), 0)
    try {
      this.#copy.write(mutant.file, mutated(source, mutant))
      const asked = { changed: mutant.file, tests, isFirstEnough: true }
      return await this.#runner.run(asked, graceMs + 3 * expectedMs)
    } finally {
      this.#copy.write(mutant.file, source)
    }
  }

  /**
   * Whether a test file that noticed a fault passes without one: asked at its first catch, at every tenth, and when a test
   * took too long, which a busy machine may be to blame for. One that does not is asked no more.
   */
  async #isReliable({ file: test, reason }: NonNullable<Answered['failure']>): Promise<boolean> {
    const catches = this.#catches.get(test) ?? 0
    this.#catches.set(test, catches + 1)
    if (catches % controlEvery !== 0 && !reason.includes('timed out')) return true
    const answered = await this.#runner.run({ tests: [test], isFirstEnough: true }, 300_000)
    if (typeof answered === 'object' && !answered.failure) return true
    this.#measuring.survey[test]!.isPassing = false
    const why = typeof answered === 'object' ? answered.failure?.reason : answered
    this.#measuring.say(`${test} fails without a fault and is left out: ${why}\n`)
    return false
  }
}

function line({ file, line: at, kind, original }: Mutant, verdict: Verdict): string {
  const words = original.replace(/\s+/g, ' ').slice(0, 60)
  const by = isCaught(verdict) ? (verdict.by ?? '') : ''
  return `${verdict.outcome} ${(verdict.ms / 1000).toFixed(1)} s ${file}:${at} ${kind}: ${words} ${by && `(${by})`}`
}
