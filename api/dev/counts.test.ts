import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

interface Counts {
  passed: number
  failed: number
  failures: string[]
}
type Reader = (from: string) => Counts

// A plain script, since it runs before anything is installed; so it has no types of its own.
const readers = (await import(new URL('counts.mjs', import.meta.url).href)) as Record<
  'vitestCounts' | 'playwrightCounts' | 'junitCounts' | 'nodeTestCounts',
  Reader
>

const folder = mkdtempSync(join(tmpdir(), 'counts-'))
afterAll(() => rmSync(folder, { recursive: true }))

function report(text: string): string {
  const file = join(folder, String(Math.random()))
  writeFileSync(file, text)
  return file
}

test('a runner that wrote nothing failed', () => {
  for (const read of [readers.vitestCounts, readers.playwrightCounts, readers.junitCounts]) {
    expect(read(join(folder, 'absent'))).toMatchObject({ passed: 0, failed: 1 })
  }
  expect(readers.nodeTestCounts('')).toMatchObject({ passed: 0, failed: 1 })
})

test('a test file that failed outside its tests failed, and so did a skipped test', () => {
  const testResults = [
    { name: 'a.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
    {
      name: 'c.test.ts',
      status: 'failed',
      message: '',
      assertionResults: [{ fullName: 'cleans up', status: 'passed' }],
    },
    {
      name: 'b.test.ts',
      status: 'failed',
      assertionResults: [
        { fullName: 'adds', status: 'passed' },
        { fullName: 'divides', status: 'failed', failureMessages: ['by zero'] },
        { fullName: 'waits', status: 'pending', failureMessages: [] },
      ],
    },
  ]
  const counts = { numPassedTests: 7, numFailedTests: 1, numPendingTests: 3, numTodoTests: 1 }
  expect(readers.vitestCounts(report(JSON.stringify({ ...counts, testResults })))).toEqual({
    passed: 7,
    failed: 7,
    failures: [
      'divides\nby zero',
      'waits\nwas not run',
      'a.test.ts\nno such module',
      'c.test.ts\nfailed outside its tests',
    ],
  })
})

test('a flaky or skipped page test failed', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 2, skipped: 3 }
  const results = [{ errors: [{ message: 'not visible' }] }, { errors: [] }]
  const specs = [
    { title: 'opens', file: 'a.spec.ts', tests: [{ status: 'expected', results: [{ errors: [] }] }] },
    { title: 'closes', file: 'a.spec.ts', tests: [{ status: 'flaky', results }] },
  ]
  const suites = [{ specs: [], suites: [{ specs }] }]
  const errors = [{ message: 'no browser' }]
  expect(readers.playwrightCounts(report(JSON.stringify({ suites, stats, errors })))).toEqual({
    passed: 5,
    failed: 7,
    failures: ['a.spec.ts: closes\nnot visible', 'outside the tests\nno browser'],
  })
})

test('a skipped client test failed, and so did a run without tests', () => {
  const junit = (attributes: string, cases = '') =>
    report(`<testsuites><testsuite name="pytest" ${attributes}>${cases}</testsuite></testsuites>`)
  const cases =
    '<testcase classname="x" name="test_a" time="1" />' +
    '<testcase classname="x" name="test_b[&lt;1&gt;]" time="1"><failure message="assert 1 &amp;lt; 2">E</failure></testcase>'
  expect(readers.junitCounts(junit('errors="1" failures="2" skipped="3" tests="10"', cases))).toEqual({
    passed: 4,
    failed: 6,
    failures: ['test_b[<1>]\nassert 1 &lt; 2'],
  })
  expect(readers.junitCounts(junit('errors="0" failures="0" skipped="0" tests="0"'))).toEqual({
    passed: 0,
    failed: 1,
    failures: [],
  })
})

test('runs of node --test add up', () => {
  const once = (pass: number, fail: number) =>
    `ℹ tests ${pass + fail}\nℹ pass ${pass}\nℹ fail ${fail}\nℹ cancelled 0\nℹ skipped 0\n`
  const counts = { passed: 5, failed: 1, failures: [] }
  expect(readers.nodeTestCounts(once(3, 0) + once(2, 1))).toEqual(counts)
})

test('what failed in a run of node --test is named', () => {
  const output =
    "ok 1 - clones\nnot ok 2 - pushes\n  ---\n  error: 'timed out'\n  ...\n# tests 2\n# pass 1\n# fail 1\n"
  const { failures } = readers.nodeTestCounts(output)
  expect(failures).toHaveLength(1)
  expect(failures[0]).toMatch(/^pushes\n[^]*timed out/)
})
