import type { Mutant } from './mutants.ts'
import { hashOf } from './survey.ts'

/** What became of one fault. */
export interface Verdict {
  /** `hung`: the tests did not come to an end; `died`: their process ended. Both are noticed. */
  outcome: 'caught' | 'hung' | 'died' | 'survived' | 'unreached'
  /** The test that noticed. */
  by?: string
  /** The text of the faulty file without the fault, and those of the tests that decided. */
  source: string
  tests: Record<string, string>
  ms: number
}

export const isCaught = ({ outcome }: Verdict): boolean => outcome !== 'survived' && outcome !== 'unreached'

/** By the mutant's id. */
export type Verdicts = Record<string, Verdict>

/**
 * Whether an earlier verdict holds: the file is the same, and so are the tests that decided; where a fault survived no
 * further test has come that might catch it.
 */
export function holds(
  verdict: Verdict | undefined,
  mutant: Mutant,
  tests: string[],
  read: (file: string) => string,
): boolean {
  if (!verdict || verdict.source !== hashOf(read(mutant.file))) return false
  if (!isCaught(verdict) && tests.some((test) => !(test in verdict.tests))) return false
  const present = new Set(tests)
  const decided = Object.entries(verdict.tests).filter(([test]) => isCaught(verdict) || present.has(test))
  return decided.every(([test, hash]) => present.has(test) && hash === hashOf(read(test)))
}
