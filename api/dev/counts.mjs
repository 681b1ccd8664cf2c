// Reads from each test runner's output how many tests passed and failed, and why.
import { existsSync, readFileSync } from 'node:fs'

/** A runner that wrote no report counts as one failure: nothing is known of its tests. */
const nothing = { passed: 0, failed: 1, failures: [], note: 'no report was written' }

/** Of a reason, as much as tells what happened. */
const reasonLength = 1000
const failure = (name, reason) => `${name}\n${(reason || 'was not run').slice(0, reasonLength)}`

/** The counts of several runs as those of one. */
export function together(...counts) {
  const sum = (key) => counts.reduce((total, each) => total + each[key], 0)
  const note = counts.find((each) => each.note)?.note
  const failures = counts.flatMap((each) => each.failures)
  return { passed: sum('passed'), failed: sum('failed'), failures, ...(note && { note }) }
}

/** Vitest's JSON report. A file that failed outside its tests counts as one failure, and so does a skipped test: it was not run. */
export function vitestCounts(file) {
  if (!existsSync(file)) return nothing
  const report = JSON.parse(readFileSync(file, 'utf8'))
  // It could not be loaded, or what cleans up after its tests failed.
  const failedOutside = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  const unpassed = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed')
  const failures = [
    ...unpassed.map(({ fullName, failureMessages = [] }) => failure(fullName, failureMessages.join('\n'))),
    ...failedOutside.map(({ name, message }) => failure(name, message || 'failed outside its tests')),
  ]
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests } = report
  return { passed, failed: numFailedTests + numPendingTests + numTodoTests + failedOutside.length, failures }
}

/** Playwright's JSON report. A flaky test passed only at a second try, and a skipped one was not run: both failed. */
export function playwrightCounts(file) {
  if (!existsSync(file)) return nothing
  const { suites, stats, errors } = JSON.parse(readFileSync(file, 'utf8'))
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
  const unpassed = suites.flatMap(specsOf).flatMap(({ title, file: of, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .map(({ results }) => {
        const reason = results.flatMap((result) => result.errors ?? []).map(({ message }) => message)
        return failure(`${of}: ${title}`, reason.join('\n'))
      }),
  )
  const failures = [...unpassed, ...errors.map(({ message }) => failure('outside the tests', message))]
  const failed = stats.unexpected + stats.flaky + stats.skipped + errors.length
  return { passed: stats.expected, failed, failures }
}

const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&#10;': '\n', '&amp;': '&' }
const unescaped = (xml) => xml.replace(/&(?:lt|gt|quot|apos|#10|amp);/g, (entity) => entities[entity])

/** JUnit XML of pytest. A skipped test was not run: it failed. */
export function junitCounts(file) {
  if (!existsSync(file)) return nothing
  const xml = readFileSync(file, 'utf8')
  const suite = /<testsuite [^>]*>/.exec(xml)?.[0] ?? ''
  const number = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(suite)?.[1] ?? 0)
  const failed = number('failures') + number('errors') + number('skipped')
  const unpassed =
    /<testcase [^>]*? name="([^"]*)"[^>]*>\s*<(?:failure|error|skipped)[^>]*?message="([^"]*)"/g
  const failures = [...xml.matchAll(unpassed)].map(([, name, message]) =>
    failure(unescaped(name), unescaped(message)),
  )
  return { passed: number('tests') - failed, failed: number('tests') === 0 ? 1 : failed, failures }
}

/** Summaries of `node --test`, one per run, in the text it printed. */
export function nodeTestCounts(output) {
  const sum = (name) =>
    [...output.matchAll(new RegExp(`^(?:#|ℹ) ${name} (\\d+)$`, 'gm'))].reduce((n, [, d]) => n + Number(d), 0)
  const failed = sum('fail') + sum('cancelled') + sum('skipped') + sum('todo')
  if (sum('tests') === 0) return nothing
  const unpassed = output.matchAll(/^ *(?:not ok \d+ -|✖) (.+)\n/gm)
  const failures = [...unpassed].map(({ 0: line, 1: name, index }) =>
    failure(name, output.slice(index + line.length)),
  )
  return { passed: sum('pass'), failed, failures }
}
