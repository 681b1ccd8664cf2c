// Reads how many tests passed and failed out of what each test runner wrote.
import { existsSync, readFileSync } from 'node:fs'

/** A runner that wrote no report counts as one failure: nothing is known of its tests. */
const nothing = { passed: 0, failed: 1, note: 'no report was written' }

/** The counts of two runs as those of one. */
export function both(one, other) {
  const note = one.note ?? other.note
  return { passed: one.passed + other.passed, failed: one.failed + other.failed, ...(note && { note }) }
}

/** Vitest's JSON report. A file that could not be loaded counts as one failure, and so does a skipped test: it was not run. */
export function vitestCounts(file) {
  if (!existsSync(file)) return nothing
  const report = JSON.parse(readFileSync(file, 'utf8'))
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests } = report
  return { passed, failed: numFailedTests + numPendingTests + numTodoTests + unloaded.length }
}

/** Playwright's JSON report. A flaky test passed only at a second try, and a skipped one was not run: both failed. */
export function playwrightCounts(file) {
  if (!existsSync(file)) return nothing
  const { stats, errors } = JSON.parse(readFileSync(file, 'utf8'))
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length }
}

/** JUnit XML of pytest. A skipped test was not run: it failed. */
export function junitCounts(file) {
  if (!existsSync(file)) return nothing
  const suite = /<testsuite [^>]*>/.exec(readFileSync(file, 'utf8'))?.[0] ?? ''
  const number = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(suite)?.[1] ?? 0)
  const failed = number('failures') + number('errors') + number('skipped')
  return { passed: number('tests') - failed, failed: number('tests') === 0 ? 1 : failed }
}

/** Summaries of `node --test`, one per run, in the text it printed. */
export function nodeTestCounts(output) {
  const sum = (name) =>
    [...output.matchAll(new RegExp(`^(?:#|ℹ) ${name} (\\d+)$`, 'gm'))].reduce((n, [, d]) => n + Number(d), 0)
  const failed = sum('fail') + sum('cancelled') + sum('skipped') + sum('todo')
  return sum('tests') === 0 ? nothing : { passed: sum('pass'), failed }
}
