import { expect, test } from 'vitest'
import { shellWord } from './shell-word.ts'

test('plain paths stay as they are, all others are quoted', () => {
  expect(shellWord('data/train-0.txt')).toBe('data/train-0.txt')
  expect(shellWord('a b $(rm -rf .)')).toBe("'a b $(rm -rf .)'")
  expect(shellWord("it's")).toBe(`'it'\\''s'`)
})
