import { expect, test } from 'vitest'
import { testsWithoutAssertion } from './assertions.ts'

const found = (files: Record<string, string>) => testsWithoutAssertion(new Map(Object.entries(files)))

test('a test that compares nothing is found', () => {
  expect(
    found({
      'api/a.test.ts': `test('idle', async () => { await work() }); test('busy', () => { expect(1).toBe(1) })`,
      'api/a.ts': `test('no test file', () => undefined)`,
    }),
  ).toEqual([`api/a.test.ts: 'idle'`])
})

test('one that leaves it to a function of ours is not, however many lie between', () => {
  const files = {
    'api/given.ts': `import { deep } from './deep.ts'; export const compare = async () => deep(); export function idle() {}`,
    'api/deep.ts': `export function deep() { expect(1).toBe(1) }`,
  }
  expect(
    found({
      ...files,
      'api/b.test.ts': `import { compare, idle } from './given.ts'; const own = () => compare()
        test.each([1])('%i', () => own()); test('idle', { timeout: 1 }, () => idle())`,
    }),
  ).toEqual([`api/b.test.ts: 'idle'`])
})
