import { expect, test } from 'vitest'
import { colouredStretches } from './coloured-stretches.ts'

const shape = (runs: [string, string][], ...stretches: string[]) =>
  colouredStretches(
    runs.map(([text, colour]) => [text, colour, colour] as const),
    stretches.map((text) => ({ text, isMarked: false })),
  ).map((parts) => parts.map(([text, colour]) => `${text}:${colour}`).join(' '))

test('colours that change within a marked word are cut at its ends', () => {
  const runs: [string, string][] = [
    ['rate', 'a'],
    [' = ', ''],
    ['0.1', 'b'],
  ]
  expect(shape(runs, 'rate = 0.1')).toEqual(['rate:a  = : 0.1:b'])
  expect(shape(runs, 'ra', 'te =', ' 0.', '1')).toEqual(['ra:a', 'te:a  =:', ' : 0.:b', '1:b'])
})

test('no character is lost or made up where the colours are of another text', () => {
  expect(shape([['ab', 'a']], 'abc', 'd')).toEqual(['ab:a c:', 'd:'])
  expect(shape([['abcdef', 'a']], 'ab')).toEqual(['ab:a'])
  expect(shape([['', 'a']], 'ab')).toEqual(['ab:'])
  expect(shape([], '')).toEqual([''])
})
