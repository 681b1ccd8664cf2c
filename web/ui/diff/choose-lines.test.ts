import { expect, test } from 'vitest'
import { endsOf, isChosen, reaching } from './choose-lines.ts'

const hunk = (old_start: number, old_lines: number, new_start: number, new_lines: number) => ({
  old_start,
  old_lines,
  new_start,
  new_lines,
  lines: [],
})
const hunks = [hunk(1, 5, 1, 6), hunk(40, 300, 41, 300)]
const at = (line: number, side: 'old' | 'new' = 'new') => ({ side, line })

test('a choice reaches up and down within one side of one hunk', () => {
  expect(reaching(hunks, at(2), at(6))).toEqual({ side: 'new', anchor: 2, line: 6 })
  expect(reaching(hunks, at(6), at(2))).toEqual({ side: 'new', anchor: 6, line: 2 })
  expect(reaching(hunks, at(2, 'old'), at(3))).toBeUndefined()
  expect(reaching(hunks, at(5, 'old'), at(6, 'old'))).toBeUndefined()
  expect(reaching(hunks, at(6), at(41))).toBeUndefined()
})

test('it has no more lines than a comment can be about', () => {
  expect(reaching(hunks, at(41), at(240))).toBeDefined()
  expect(reaching(hunks, at(41), at(241))).toBeUndefined()
})

test('its lines are those of its side, whichever was chosen first', () => {
  const chosen = { side: 'old', anchor: 4, line: 2 } as const
  expect(endsOf(chosen)).toEqual([2, 4])
  const line = (before: number | undefined, after: number | undefined) =>
    isChosen(chosen, { kind: 'context', text: '', stretches: undefined, before, after })
  expect([line(1, 3), line(2, 9), line(4, 9), line(5, 3), line(undefined, 3)]).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
})
