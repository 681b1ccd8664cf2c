import { expect, test } from 'vitest'
import { snoozeTimes } from './snooze-times.ts'

const offeredAt = (...now: [number, number, number, number, number]) =>
  snoozeTimes(new Date(...now)).map(({ label, until }) => [label, until])

test('an hour, the next morning and that of the next Monday are offered', () => {
  expect(offeredAt(2026, 10, 25, 22, 40)).toEqual([
    ['In an hour', new Date(2026, 10, 25, 23, 40)],
    ['Tomorrow', new Date(2026, 10, 26, 9)],
    ['Next Monday', new Date(2026, 10, 30, 9)],
  ])
})

test('on a Monday the next one is a week away, and on a Sunday it is tomorrow', () => {
  expect(offeredAt(2026, 10, 30, 8, 0).at(-1)).toEqual(['Next Monday', new Date(2026, 11, 7, 9)])
  expect(offeredAt(2026, 10, 29, 8, 0).map(([label]) => label)).toEqual(['In an hour', 'Tomorrow'])
})
