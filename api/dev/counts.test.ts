import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

interface Counts {
  passed: number
  failed: number
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

test('a test file that vitest could not load failed, and so did a skipped test', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{}] },
  ]
  const counts = { numPassedTests: 7, numFailedTests: 1, numPendingTests: 3, numTodoTests: 1 }
  const text = JSON.stringify({ ...counts, testResults })
  expect(readers.vitestCounts(report(text))).toEqual({ passed: 7, failed: 6 })
})

test('a flaky or skipped page test failed', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 2, skipped: 3 }
  expect(readers.playwrightCounts(report(JSON.stringify({ stats, errors: [] })))).toEqual({
    passed: 5,
    failed: 6,
  })
})

test('a skipped client test failed, and so did a run without tests', () => {
  const junit = (attributes: string) =>
    report(`<testsuites><testsuite name="pytest" ${attributes}></testsuite></testsuites>`)
  expect(readers.junitCounts(junit('errors="1" failures="2" skipped="3" tests="10"'))).toEqual({
    passed: 4,
    failed: 6,
  })
  expect(readers.junitCounts(junit('errors="0" failures="0" skipped="0" tests="0"'))).toEqual({
    passed: 0,
    failed: 1,
  })
})

test('runs of node --test add up', () => {
  const once = (pass: number, fail: number) =>
    `ℹ tests ${pass + fail}\nℹ pass ${pass}\nℹ fail ${fail}\nℹ cancelled 0\nℹ skipped 0\n`
  expect(readers.nodeTestCounts(once(3, 0) + once(2, 1))).toEqual({ passed: 5, failed: 1 })
})
