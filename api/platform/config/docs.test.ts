import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { configDocs } from './docs.ts'
import { keys } from './keys.ts'

test('docs/configuration.md is what the schema says', () => {
  const file = new URL('../../../docs/configuration.md', import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(configDocs())
})

test('every key has a meaning, and no two share an environment variable', () => {
  const all = keys()
  expect(all.filter((key) => key.description === '').map((key) => key.name)).toEqual([])
  const names = all.flatMap((key) => key.env ?? [])
  expect(new Set(names).size).toBe(names.length)
})
