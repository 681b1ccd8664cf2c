import { expect, test } from 'vitest'
import { waitsFor } from './windows.ts'

test('windows are by the clock on the wall, over midnight and over a change of the clocks', () => {
  const at = (time: string) => new Date(`2026-03-01T${time}:00Z`)
  expect(waitsFor([], 'UTC', at('12:00'))).toBeUndefined()
  expect(waitsFor(['01:00-07:00'], 'UTC', at('06:59'))).toBeUndefined()
  expect(waitsFor(['01:00-07:00'], 'UTC', at('07:00'))).toBe('01:00')
  expect(waitsFor(['22:00-06:00'], 'UTC', at('23:30'))).toBeUndefined()
  expect(waitsFor(['22:00-06:00'], 'UTC', at('12:00'))).toBe('22:00')
  expect(waitsFor(['01:00-02:00', '13:00-14:00'], 'UTC', at('12:00'))).toBe('13:00')
  expect(waitsFor(['00:00-24:00'], 'UTC', at('12:00'))).toBeUndefined()
  // In Berlin it is 02:30 twice on this night; both are in the window.
  for (const hour of ['00:30', '01:30'])
    expect(waitsFor(['02:00-03:00'], 'Europe/Berlin', new Date(`2026-10-25T${hour}:00Z`))).toBeUndefined()
})
