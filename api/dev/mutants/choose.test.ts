import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { chosenTests } from './choose.ts'
import type { Mutant } from './mutants.ts'
import { noting } from './reach.ts'
import { hashOf, type Survey } from './survey.ts'
import { holds, type Verdict } from './verdicts.ts'

const mutant: Mutant = {
  id: 'm',
  file: 'api/core/jobs/outcome.ts',
  line: 1,
  kind: 'guard removed',
  original: 'a',
  text: 'false',
  start: 0,
  end: 1,
  place: 'api/core/jobs/outcome.ts:12345678',
}

const reach = (durationMs: number, places = [mutant.place!]) => ({
  hash: '',
  places,
  durationMs,
  isPassing: true,
})
const none = () => new Map<string, number>()
const budget = { testsMs: 1000, files: 3 }

describe('the tests asked', () => {
  test("the file's own first, then the room's, then others; quick before slow", () => {
    const survey: Survey = {
      'api/surfaces/hub/near.test.ts': reach(1),
      'api/core/jobs/slow.test.ts': reach(200),
      'api/core/jobs/quick.test.ts': reach(100),
      'api/core/jobs/outcome.test.ts': reach(300),
    }
    const chosen = chosenTests(mutant, survey, none, { testsMs: 1000, files: 9 })
    expect(chosen.map((file) => file.replace(/^api\/|\.test\.ts$/g, ''))).toEqual([
      'core/jobs/outcome',
      'core/jobs/quick',
      'core/jobs/slow',
      'surfaces/hub/near',
    ])
  })

  test('of a worker, those of its name first', () => {
    const survey: Survey = {
      'api/core/git/quick.test.ts': reach(1),
      'api/core/git/runner.test.ts': reach(100),
    }
    const worker = { ...mutant, file: 'api/core/git/runner.worker.ts' }
    expect(chosenTests(worker, survey, none, budget)[0]).toBe('api/core/git/runner.test.ts')
  })

  test('as far as the budget goes, and one at least', () => {
    const one = { 'api/core/jobs/a.test.ts': reach(5000), 'api/core/jobs/b.test.ts': reach(6000) }
    expect(chosenTests(mutant, one, none, budget)).toEqual(['api/core/jobs/a.test.ts'])
    const many = Object.fromEntries([1, 2, 3, 4].map((i) => [`api/core/jobs/${i}.test.ts`, reach(i)]))
    expect(chosenTests(mutant, many, none, budget)).toHaveLength(3)
  })

  test('none that fail without a fault', () => {
    const survey = { 'api/core/jobs/a.test.ts': { ...reach(1), isPassing: false } }
    expect(chosenTests(mutant, survey, none, budget)).toEqual([])
  })

  test('where none runs the function those that run others of its file, else the nearest importers', () => {
    const near = {
      'api/core/jobs/a.test.ts': reach(1, ['api/core/jobs/outcome.ts:other']),
      'api/core/jobs/b.test.ts': reach(1, []),
    }
    expect(chosenTests(mutant, near, none, budget)).toEqual(['api/core/jobs/a.test.ts'])
    const far = { 'api/core/jobs/a.test.ts': reach(1, []), 'api/core/jobs/b.test.ts': reach(1, []) }
    const importers = () => new Map([['api/core/jobs/b.test.ts', 1]])
    expect(chosenTests(mutant, far, importers, budget)).toEqual(['api/core/jobs/b.test.ts'])
  })
})

test('a function notes that it ran, whatever its form', () => {
  const source =
    'const f = (n) => ({ n }); const g = (a) => (b) => a + b; function h() { return f(g(1)(2)) } h()'
  const context: { arsenalReached?: Set<string>; result?: unknown } = {}
  expect(runInNewContext(noting('file.ts', source), context)).toEqual({ n: 3 })
  expect(context.arsenalReached?.size).toBe(4)
})

describe('an earlier verdict', () => {
  const texts: Record<string, string> = { [mutant.file]: 'code', a: 'one', b: 'two' }
  const read = (file: string) => texts[file] ?? ''
  const verdict = (outcome: Verdict['outcome'], tests: string[]): Verdict => ({
    outcome,
    source: hashOf('code'),
    tests: Object.fromEntries(tests.map((test) => [test, hashOf(read(test))])),
    ms: 1,
  })

  test('holds while the code and the tests that decided are the same', () => {
    expect(holds(verdict('caught', ['a']), mutant, ['a', 'b'], read)).toBe(true)
    expect(holds(verdict('survived', ['a', 'b']), mutant, ['a', 'b'], read)).toBe(true)
    expect(holds({ ...verdict('caught', ['a']), source: hashOf('other') }, mutant, ['a'], read)).toBe(false)
    expect(holds({ ...verdict('caught', ['a']), tests: { a: 'x' } }, mutant, ['a'], read)).toBe(false)
  })

  test('of a survivor ends with each test that comes or changes', () => {
    expect(holds(verdict('survived', ['a']), mutant, ['a', 'b'], read)).toBe(false)
    expect(holds({ ...verdict('survived', ['a']), tests: { a: 'x' } }, mutant, ['a'], read)).toBe(false)
  })

  test('of a fault that was caught ends with the test that caught it', () => {
    expect(holds(verdict('caught', ['a']), mutant, ['b'], read)).toBe(false)
  })
})
