import { basename } from 'node:path/posix'
import type { Mutant } from './mutants.ts'
import type { Survey } from './survey.ts'

/** How far tests are looked for: what they take without a fault, and how many files. */
export interface Budget {
  testsMs: number
  files: number
}

const roomOf = (file: string) =>
  file
    .split('/')
    .slice(0, file.startsWith('api/') ? 2 : 1)
    .join('/')
// `runner.worker.ts` runs in a process of its own, and is tested by `runner.test.ts`.
const nameOf = (file: string) => basename(file).replace(/\.((test|worker)\.)?ts$/, '')

/**
 * The test files that may catch a fault, the likeliest first: of those that run the function those named as its file, those
 * of its room, then the others, quick before slow, as far as the budget goes. One at least.
 */
export function chosenTests(
  mutant: Mutant,
  survey: Survey,
  importers: (file: string, tests: string[]) => Map<string, number>,
  budget: Budget,
): string[] {
  const passing = Object.keys(survey).filter((test) => survey[test]?.isPassing)
  const running = passing.filter((test) => mutant.place && survey[test]?.places.includes(mutant.place))
  const tests = running.length > 0 ? running : importing(mutant.file, passing, survey, importers)
  const cost = (test: string) => survey[test]?.durationMs ?? 0
  const rank = (test: string) => {
    if (nameOf(test) === nameOf(mutant.file) && roomOf(test) === roomOf(mutant.file)) return 0
    return roomOf(test) === roomOf(mutant.file) ? 1 : 2
  }
  const ordered = tests.toSorted((a, b) => rank(a) - rank(b) || cost(a) - cost(b) || (a < b ? -1 : 1))
  let spentMs = 0
  return ordered.filter((test, i) => {
    spentMs += cost(test)
    return i === 0 || (spentMs <= budget.testsMs && i < budget.files)
  })
}

/**
 * Those that run other functions of the file, or else those that import it: no note is taken of what runs in a thread or a
 * process of its own. `chosenTests` puts the nearest room first.
 */
function importing(
  file: string,
  tests: string[],
  survey: Survey,
  importers: (file: string, tests: string[]) => Map<string, number>,
): string[] {
  const reaching = tests.filter((test) => survey[test]?.places.some((place) => place.startsWith(`${file}:`)))
  return reaching.length > 0 ? reaching : [...importers(file, tests).keys()]
}
