import { expect, test } from 'vitest'
import { unusedExports } from './unused.ts'

const found = (files: Record<string, string>) => unusedExports(new Map(Object.entries(files)))

test('a value that no file imports is found, also behind the index of its room', () => {
  expect(
    found({
      'api/a/index.ts': `export { used, passedOn } from './verbs.ts'`,
      'api/a/verbs.ts': `export const used = 1; export const passedOn = 2; export function alone() {}`,
      'api/b/b.ts': `import { used } from '../a/index.ts'`,
    }),
  ).toEqual(['api/a/index.ts: passedOn', 'api/a/verbs.ts: alone'])
})

test('an import by a test, of everything, or while running is a use', () => {
  expect(
    found({
      'api/a.ts': `export const a = 1`,
      'api/b.ts': `export const b = 1`,
      'api/c.ts': `export const c = 1`,
      'api/d.ts': `export const d = 1`,
      'api/d-all.ts': `export * from './d.ts'`,
      'api/a.test.ts': `import { a } from './a.ts'; import * as all from './b.ts'; await import('./c.ts')`,
    }),
  ).toEqual([])
})

test('types, settings of tools and the published client may be for others', () => {
  expect(
    found({
      'api/a.ts': `export type A = 1; export interface B {}`,
      'vite.config.ts': `export default {}`,
      'shared/client.ts': `export const createClient = 1`,
    }),
  ).toEqual([])
})
